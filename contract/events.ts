import { z } from 'zod'

/**
 * What the server pushes on /api/v1/events. An event says that something changed, never what: the screen asks
 * again, so that there is one way to read a figure. `replaced` is the last of a stream that made room for newer ones:
 * who reads it opens another only when somebody looks at the page again.
 */
export const liveEvent = z.object({ type: z.enum(['balance', 'notification', 'replaced']) })
export type LiveEvent = z.infer<typeof liveEvent>
