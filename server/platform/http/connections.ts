import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import type { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { siteOf } from '#server/platform/http/address.ts'
import type { Headers } from '#server/platform/http/headers.ts'
import { rawRefusal } from '#server/platform/http/response.ts'

export type ConnectionLimits = {
  /** How many connections one server keeps open. */
  connections: number
  /** How many of them come from one address; behind a trusted proxy all come from the proxy, and none are counted. */
  connectionsPerAddress: number
  /** How many requests a connection may have under way. Browsers send one at a time. */
  requestsPerConnection: number
  /** All of a request must have arrived by then. */
  arrivalMs: number
  /** A connection with a request under way on which no byte moves for so long, either way, is closed. */
  silenceMs: number
  /** How often Node looks at deadlines. */
  checkMs: number
}

/** Many people may share one address. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  connections: 5_000,
  connectionsPerAddress: 1_000,
  requestsPerConnection: 16,
  // What a photo of 10 MB takes over half a megabit a second.
  arrivalMs: 180_000,
  // Longer than any request is worked on without a word.
  silenceMs: 120_000,
  checkMs: 5_000,
}

type Connection = {
  /** The latest request on it. */
  latest: { incoming: IncomingMessage; outgoing: ServerResponse } | null
  /** How many requests are under way. */
  requests: number
}

export type Connections = {
  /** Notes a request. Answers false, having closed the connection, where it is one too many. */
  begin(incoming: IncomingMessage, outgoing: ServerResponse): boolean
  /** Refuses what made no request that a route could take, and closes the connection. */
  refuse(socket: Duplex, refusal: Refusal): void
}

type Counted = Pick<Deps, 'config'> & { server: Server; base: Headers; limits: ConnectionLimits }

/** Counts a server's connections and what is under way on each, so that nobody who opens many keeps others out. */
export function countConnections({ server, base, config, limits }: Counted): Connections {
  const open = new WeakMap<Duplex, Connection>()
  const perAddress = new Map<string, number>()
  server.maxConnections = limits.connections
  server.on('connection', (socket) => {
    open.set(socket, { latest: null, requests: 0 })
    if (!config.trustProxy && !countIn(perAddress, socket, limits.connectionsPerAddress)) socket.destroy()
  })
  return {
    begin(incoming, outgoing) {
      const connection = open.get(incoming.socket)
      if (!connection) return true
      connection.latest = { incoming, outgoing }
      connection.requests += 1
      outgoing.once('close', () => (connection.requests -= 1))
      if (connection.requests <= limits.requestsPerConnection) return true
      incoming.socket.destroy()
      return false
    },
    refuse(socket, refusal) {
      const connection = open.get(socket)
      if (connection) answerInstead(socket, connection, rawRefusal(base, refusal))
      else socket.destroy()
    },
  }
}

/** Counts a connection for its address while it is open; answers whether there was room. */
function countIn(perAddress: Map<string, number>, socket: Socket, most: number): boolean {
  const site = siteOf(socket.remoteAddress ?? '')
  const count = (perAddress.get(site) ?? 0) + 1
  perAddress.set(site, count)
  socket.once('close', () => {
    const left = (perAddress.get(site) ?? 1) - 1
    if (left > 0) perAddress.set(site, left)
    else perAddress.delete(site)
  })
  return count <= most
}

/** Says why a connection is closed, where its client would take it for the response to what they sent last. */
function answerInstead(socket: Duplex, { latest }: Connection, response: string): void {
  const end = (): void => {
    if (socket.writable) socket.end(response, () => socket.destroy())
    else socket.destroy()
  }
  if (!latest || latest.outgoing.writableFinished) {
    // After a response has gone out, what is left of its request's body is no request of its own.
    if (latest && !latest.incoming.complete) socket.destroy()
    else end()
  } else if (latest.incoming.complete) {
    // The request before is all right, and its response comes first.
    latest.outgoing.once('finish', end)
  } else if (latest.outgoing.headersSent) socket.destroy()
  else end()
}
