import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A price as a feed writes it. */
export type Said = { asset: string; price: string; at: string }

/** What a feed does when it is asked. */
type Behaviour = (outgoing: ServerResponse) => void

/** Somebody who publishes prices, as a live bank's operator would configure one: on this computer, and as told. */
export type TestPriceFeed = {
  url: string
  /** The headers of each request. */
  asked: IncomingHttpHeaders[]
  behave(next: Behaviour): void
  /** Answers these prices from now on. */
  say(prices: unknown): void
  close(): Promise<void>
}

/** Opens a feed that knows of no prices until told otherwise. */
export async function openPriceFeed(): Promise<TestPriceFeed> {
  const asked: IncomingHttpHeaders[] = []
  const answer =
    (body: unknown): Behaviour =>
    (outgoing) =>
      void outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  let behaviour = answer({ prices: [] })
  const server = createServer((incoming, outgoing) => {
    asked.push(incoming.headers)
    behaviour(outgoing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/prices`,
    asked,
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
