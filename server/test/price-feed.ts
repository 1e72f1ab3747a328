import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A price in the format of a feed. */
export type FeedPrice = { asset: string; price: string; at: string }

/** A feed's response to a request. */
type Behaviour = (outgoing: ServerResponse) => void

/** A price feed on this computer with scripted responses, in the form that a live bank's operator configures. */
export type TestPriceFeed = {
  url: string
  /** The headers of each request. */
  requests: IncomingHttpHeaders[]
  behave(next: Behaviour): void
  /** Sets the prices of further responses. */
  say(prices: unknown): void
  close(): Promise<void>
}

/** Opens a feed, at first without prices. */
export async function openPriceFeed(): Promise<TestPriceFeed> {
  const requests: IncomingHttpHeaders[] = []
  const answer =
    (body: unknown): Behaviour =>
    (outgoing) =>
      void outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  let behaviour = answer({ prices: [] })
  const server = createServer((incoming, outgoing) => {
    requests.push(incoming.headers)
    behaviour(outgoing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/prices`,
    requests,
    behave: (next) => {
      behaviour = next
    },
    say: (prices) => {
      behaviour = answer({ prices })
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
