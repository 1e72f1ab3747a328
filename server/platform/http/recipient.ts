import type { Context } from 'hono'
import { overloaded } from '#server/platform/concurrency.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'

/** Who waits for a response. */
export type Recipient = {
  /** Is aborted once nobody waits any more: the response has been sent, or the caller hung up. */
  gone: AbortSignal
  /** Breaks the response off. */
  hangUp(): void
}

/** Ends work that nobody waits for any more: it throws, which nobody hears, and undoes a SQL transaction. */
export function stillWanted(gone: AbortSignal): void {
  if (gone.aborted) throw overloaded()
}

export function recipientOf(c: Context<ApiEnv>): Recipient {
  const { outgoing } = c.env
  const closed = new AbortController()
  if (outgoing.closed) closed.abort()
  else outgoing.once('close', () => closed.abort())
  return { gone: closed.signal, hangUp: () => void outgoing.destroy() }
}
