import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'

/** What the load is made of; sent by bench/http.ts, which runs this file in a process of its own. */
export type LoadOrder = {
  url: string
  connections: number
  seconds: number
  /** Who sends: each with the cookie of a session. */
  senders: { cookie: string; email: string }[]
}

export type LoadReport = {
  /** Answered with 200. */
  answered: number
  /** Answered with anything else, or not at all. */
  failed: number
  seconds: number
  p50Ms: number
  p99Ms: number
}

/**
 * Keeps `connections` requests under way, each from a random customer to another and with a key of its own. Each is of an
 * amount that may earn points, as most payments are.
 */
async function load({ url, connections, seconds, senders }: LoadOrder): Promise<LoadReport> {
  const pick = () => senders[Math.floor(Math.random() * senders.length)] ?? { cookie: '', email: '' }
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [
      {
        method: 'POST',
        path: '/api/v1/transfers',
        setupRequest: (request) => {
          const sender = pick()
          let recipient = pick()
          while (recipient === sender) recipient = pick()
          return {
            ...request,
            headers: {
              origin: url,
              cookie: sender.cookie,
              'content-type': 'application/json',
              'idempotency-key': randomUUID(),
            },
            body: JSON.stringify({ recipient: recipient.email, amountMinor: 1_00, asset: 'USD' }),
          }
        },
      },
    ],
  })
  return {
    answered: result['2xx'],
    failed: result.non2xx + result.errors + result.timeouts,
    seconds: result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  }
}

process.once('message', (order: LoadOrder) => {
  void load(order).then((report) => {
    process.send?.(report)
    process.disconnect?.()
  })
})
