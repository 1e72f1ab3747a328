import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import { Refusal } from '#contract/errors.ts'
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
  /** Bodies, in and out, that come or go more slowly than this for so long are cut off. */
  leastBytesPerSecond: number
  graceMs: number
}

/**
 * A photo of 10 MB at the slowest speed that a mobile network still calls 3G takes three minutes, most of what a request
 * may take anyway. Many people may share one address.
 */
export const CONNECTION_LIMITS: ConnectionLimits = {
  connections: 5_000,
  connectionsPerAddress: 1_000,
  requestsPerConnection: 16,
  leastBytesPerSecond: 8 * 1024,
  graceMs: 10_000,
}

/** How many times within the grace period speeds are looked at. */
const CHECKS_PER_GRACE = 10

type Exchange = { incoming: IncomingMessage; outgoing: ServerResponse }

type Connection = {
  socket: Socket
  /** The latest request on it. */
  latest: Exchange | null
  /** How many requests are under way. */
  requests: number
  /** Since when, and from which number of bytes on, arrival is measured. */
  arrival: { since: number; from: number }
  /** Since when something waits to be read by the client, and the number of bytes up to which it does. */
  departure: { since: number; upTo: number; allowedMs: number }
}

export type Connections = {
  /** Notes a request. Answers false, having closed the connection, where it is one too many. */
  begin(incoming: IncomingMessage, outgoing: ServerResponse): boolean
  /** Refuses what made no request that a route could take, and closes the connection. */
  refuse(socket: Duplex, refusal: Refusal): void
}

type Watched = Pick<Deps, 'config' | 'log'> & { server: Server; base: Headers; limits: ConnectionLimits }

/** Keeps an eye on a server's connections, so that no one who sends or reads slowly, or opens many, holds up others. */
export function watchConnections({ server, base, config, log, limits }: Watched): Connections {
  const open = new Map<Duplex, Connection>()
  const perAddress = new Map<string, number>()
  server.maxConnections = limits.connections
  server.on('connection', (socket) => {
    const now = performance.now()
    const connection: Connection = {
      socket,
      latest: null,
      requests: 0,
      arrival: { since: now, from: 0 },
      departure: { since: now, upTo: 0, allowedMs: limits.graceMs },
    }
    open.set(socket, connection)
    socket.once('close', () => open.delete(socket))
    if (!config.trustProxy && !countIn(perAddress, socket, limits.connectionsPerAddress)) socket.destroy()
  })
  const cutOff = (connection: Connection): void => {
    log.info({ part: 'http' }, 'a connection was cut off: too slow')
    answerInstead(connection, base, new Refusal('request_too_slow'))
  }
  const checkMs = limits.graceMs / CHECKS_PER_GRACE
  let checkedAt = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    // Where we were too busy to look, nobody else is to blame.
    const late = now - checkedAt > 3 * checkMs
    checkedAt = now
    for (const connection of open.values()) {
      if (late) restart(connection, limits, now)
      else if (arrivesTooSlowly(connection, limits, now)) cutOff(connection)
      else if (leavesTooSlowly(connection, limits, now)) connection.socket.destroy()
    }
  }, checkMs).unref()
  server.once('close', () => clearInterval(timer))
  return {
    begin(incoming, outgoing) {
      const connection = open.get(incoming.socket)
      if (!connection) return true
      connection.latest = { incoming, outgoing }
      connection.arrival = { since: performance.now(), from: incoming.socket.bytesRead }
      connection.requests += 1
      outgoing.once('close', () => (connection.requests -= 1))
      if (connection.requests <= limits.requestsPerConnection) return true
      incoming.socket.destroy()
      return false
    },
    refuse(socket, refusal) {
      const connection = open.get(socket)
      if (connection) answerInstead(connection, base, refusal)
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
function answerInstead({ socket, latest }: Connection, base: Headers, refusal: Refusal): void {
  const end = (): void => {
    if (socket.writable) socket.end(rawRefusal(base, refusal), () => socket.destroy())
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

function restart({ socket, arrival, departure }: Connection, { graceMs }: ConnectionLimits, now: number): void {
  Object.assign(arrival, { since: now, from: socket.bytesRead })
  Object.assign(departure, { since: now, allowedMs: graceMs })
}

function arrivesTooSlowly({ socket, latest, arrival }: Connection, limits: ConnectionLimits, now: number): boolean {
  const elapsed = now - arrival.since
  // Where bytes have come that we have not read yet, it is us who are slow.
  const expected = latest !== null && !latest.incoming.complete && latest.incoming.readableLength === 0
  if (expected && elapsed < limits.graceMs) return false
  const tooFew = socket.bytesRead - arrival.from < (limits.leastBytesPerSecond * elapsed) / 1_000
  Object.assign(arrival, { since: now, from: socket.bytesRead })
  return expected && tooFew
}

/**
 * Whether what waited for the client at some moment is still not gone, after as long as it may take at the least speed.
 * Measured by the whole of what waits: how far a single large piece has come, Node does not say.
 */
function leavesTooSlowly({ socket, departure }: Connection, limits: ConnectionLimits, now: number): boolean {
  const { graceMs, leastBytesPerSecond } = limits
  const waiting = socket.writableLength
  if (waiting === 0 || socket.bytesWritten - waiting >= departure.upTo) {
    const allowedMs = graceMs + (waiting / leastBytesPerSecond) * 1_000
    Object.assign(departure, { since: now, upTo: socket.bytesWritten, allowedMs })
    return false
  }
  return now - departure.since > departure.allowedMs
}
