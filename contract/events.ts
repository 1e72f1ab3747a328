/**
 * What the server pushes on /api/v1/events. An event says that something changed, never what: the screen asks
 * again, so that there is one way to read a figure. `change` is what moves no money and has no notice: a goal's date, a
 * schedule that was cancelled. `replaced` is the last of a stream that made room for newer ones:
 * who reads it opens another only when somebody looks at the page again.
 */
export const LIVE_EVENTS = ['balance', 'notification', 'request', 'card', 'bill', 'change', 'replaced'] as const
export type LiveEvent = { type: (typeof LIVE_EVENTS)[number] }
