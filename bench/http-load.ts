import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'

/** The parameters of the load. bench/http.ts sends them and runs this file in its own process. */
export type LoadOrder = {
  url: string
  connections: number
  seconds: number
  /** The senders, each with a session cookie. */
  senders: { cookie: string; email: string }[]
}

export type LoadReport = {
  /** The number of requests answered with a 2xx status. */
  answered: number
  /** The number of requests with another status or no answer. */
  failed: number
  seconds: number
  p50Ms: number
  p99Ms: number
}

/**
 * Keeps `connections` requests in flight. Each sends $1.00 to a random customer with its own idempotency key. Such a payment
 * may earn points, as most payments do.
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

process.once('message', (parameters: LoadOrder) => {
  void load(parameters).then((report) => {
    process.send?.(report)
    process.disconnect?.()
  })
})
