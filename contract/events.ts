/**
 * The events that the server pushes on /api/v1/events. An event contains no data. The screen fetches the data again, so that
 * the app reads each figure in only one way. `request` means a payment request. `change` means a change that no other type
 * covers, such as a new date of a goal or a canceled schedule. `replaced` is the last event of a stream that the server closes,
 * because the session, the customer or the network address has opened too many newer streams. The client then reconnects only
 * after its page becomes visible again.
 */
export const LIVE_EVENTS = ['balance', 'notification', 'request', 'card', 'bill', 'change', 'replaced'] as const
export type LiveEvent = { type: (typeof LIVE_EVENTS)[number] }
