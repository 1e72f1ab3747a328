import { z } from 'zod'

/**
 * What the server pushes on /api/v1/events. An event says that something changed, never what: the screen asks
 * again, so that there is one way to read a figure.
 */
export const liveEvent = z.object({ type: z.enum(['balance', 'notification']) })
export type LiveEvent = z.infer<typeof liveEvent>
