import type { Context } from 'hono'
import { overloadedRefusal } from '#server/platform/concurrency.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'

/** The client that waits for a response. */
export type Recipient = {
  /** Aborted once the client no longer waits: the response has been sent, or the client disconnected. */
  gone: AbortSignal
  /** Cuts the response off. */
  hangUp(): void
}

/** Ends work whose client has gone. The thrown error rolls back a SQL transaction and reaches no client. */
export function checkStillWanted(gone: AbortSignal): void {
  if (gone.aborted) throw overloadedRefusal()
}

export function recipientOf(c: Context<ApiEnv>): Recipient {
  const { outgoing } = c.env
  const closeController = new AbortController()
  if (outgoing.closed) closeController.abort()
  else outgoing.once('close', () => closeController.abort())
  return { gone: closeController.signal, hangUp: () => void outgoing.destroy() }
}
