import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import type { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { siteOf } from '#server/platform/http/address.ts'
import type { Headers } from '#server/platform/http/headers.ts'
import { rawRefusal } from '#server/platform/http/response.ts'

export type ConnectionLimits = {
  /** The largest number of open connections of one server. */
  connections: number
  /**
   * The largest number of connections from one address. Not checked behind a trusted proxy, because all connections come
   * from the proxy.
   */
  connectionsPerAddress: number
  /** The largest number of requests in progress on one connection. Browsers send one at a time. */
  requestsPerConnection: number
  /** The time in which a complete request must arrive, in milliseconds. */
  arrivalMs: number
  /**
   * The time without any bytes in either direction, in milliseconds, after which a connection with a request in progress is
   * closed.
   */
  silenceMs: number
  /** The interval at which Node looks for requests that have not arrived in time, in milliseconds. */
  checkMs: number
}

/** The default limits. The limit for one address is high, because many people may share an address. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  connections: 5_000,
  connectionsPerAddress: 1_000,
  requestsPerConnection: 16,
  // Enough for a photo of 10 MB at half a megabit per second.
  arrivalMs: 180_000,
  // The bank never processes a request for this long without sending bytes.
  silenceMs: 120_000,
  checkMs: 5_000,
}

type Connection = {
  /** The latest request on the connection. */
  latest: { incoming: IncomingMessage; outgoing: ServerResponse } | null
  /** The number of requests in progress. */
  requests: number
}

export type Connections = {
  /** Counts a request. If the connection has too many requests in progress, closes the connection and returns false. */
  begin(incoming: IncomingMessage, outgoing: ServerResponse): boolean
  /** Refuses input that cannot be passed to a route as a request, and closes the connection. */
  refuse(socket: Duplex, refusal: Refusal): void
}

type CountedServer = Pick<Deps, 'config'> & {
  server: Server
  /** The headers of every response. */
  base: Headers
  limits: ConnectionLimits
}

/** Counts a server's connections and the requests on each, so that one client cannot block the others. */
export function countConnections({ server, base, config, limits }: CountedServer): Connections {
  const connectionBySocket = new WeakMap<Duplex, Connection>()
  const perAddress = new Map<string, number>()
  server.maxConnections = limits.connections
  server.on('connection', (socket) => {
    connectionBySocket.set(socket, { latest: null, requests: 0 })
    if (!config.trustProxy && !countForAddress(perAddress, socket, limits.connectionsPerAddress)) socket.destroy()
  })
  return {
    begin(incoming, outgoing) {
      const connection = connectionBySocket.get(incoming.socket)
      if (!connection) return true
      connection.latest = { incoming, outgoing }
      connection.requests += 1
      outgoing.once('close', () => (connection.requests -= 1))
      if (connection.requests <= limits.requestsPerConnection) return true
      incoming.socket.destroy()
      return false
    },
    refuse(socket, refusal) {
      const connection = connectionBySocket.get(socket)
      if (connection) closeWithResponse(socket, connection, rawRefusal(base, refusal))
      else socket.destroy()
    },
  }
}

/**
 * Counts a connection for its address while the connection is open. All addresses that one subscriber may have count as one
 * (`siteOf`). Returns whether the number of connections is within the limit.
 */
function countForAddress(perAddress: Map<string, number>, socket: Socket, limit: number): boolean {
  const site = siteOf(socket.remoteAddress ?? '')
  const count = (perAddress.get(site) ?? 0) + 1
  perAddress.set(site, count)
  socket.once('close', () => {
    const openCount = (perAddress.get(site) ?? 1) - 1
    if (openCount > 0) perAddress.set(site, openCount)
    else perAddress.delete(site)
  })
  return count <= limit
}

/**
 * Sends a response and closes the connection. If the client could mistake the response for the response to another request, the
 * connection is closed without it.
 */
function closeWithResponse(socket: Duplex, { latest }: Connection, response: string): void {
  const end = (): void => {
    if (socket.writable) socket.end(response, () => socket.destroy())
    else socket.destroy()
  }
  if (!latest || latest.outgoing.writableFinished) {
    // If the latest request was answered before its whole body had arrived, the input is the rest of that body. It is not a
    // new request, so it gets no response.
    if (latest && !latest.incoming.complete) socket.destroy()
    else end()
  } else if (latest.incoming.complete) {
    // The refused input follows a valid request. The client expects the response to the valid request first.
    latest.outgoing.once('finish', end)
  } else if (latest.outgoing.headersSent) socket.destroy()
  else end()
}
