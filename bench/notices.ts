import type { Deps } from '#server/platform/deps.ts'
import { inProcess } from './child.ts'
import { openSenders } from './http.ts'
import { percentile } from './measure.ts'
import type { NoticesOrder, NoticesReport } from './notices-load.ts'
import { serve } from './serve.ts'

export type NoticesFigure = {
  streams: number
  per_second: number
  event_p50_ms: number
  event_p99_ms: number
  list_p50_ms: number
  list_p99_ms: number
}

type Options = {
  /**
   * The server that takes payments and the server that sends live events. Both use one database, each with its own connections.
   */
  pays: Deps
  listens: Deps
  seconds: number
  streams?: number
  perSecond?: number
}

/** Measures the time from a payment to the payee's open screen. The payee is connected to another server than the payer. */
export async function benchNotices({
  pays,
  listens,
  seconds,
  streams = 200,
  perSecond = 50,
}: Options): Promise<NoticesFigure[]> {
  const [payingServer, listeningServer] = await Promise.all([pays, listens].map(serve))
  if (!payingServer || !listeningServer) throw new Error('A server did not open')
  try {
    const [payer, ...listeners] = await openSenders(pays, streams + 1)
    if (!payer) throw new Error('There is nobody to pay')
    const parameters: NoticesOrder = {
      pays: payingServer.url,
      listens: listeningServer.url,
      payer,
      listeners,
      count: seconds * perSecond,
      perSecond,
    }
    const { eventMs, listMs } = await inProcess<NoticesReport>(
      new URL('./notices-load.ts', import.meta.url),
      parameters,
    )
    return [
      {
        streams,
        per_second: perSecond,
        event_p50_ms: percentile(eventMs, 0.5),
        event_p99_ms: percentile(eventMs, 0.99),
        list_p50_ms: percentile(listMs, 0.5),
        list_p99_ms: percentile(listMs, 0.99),
      },
    ]
  } finally {
    payingServer.close()
    listeningServer.close()
  }
}
