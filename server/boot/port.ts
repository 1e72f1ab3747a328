import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { StartError } from '#server/platform/process/start-error.ts'

/** A port that is ours on every loopback address of this machine. */
export type ReservedPort = {
  port: number
  /** Has HTTP servers answer on it, one for each address. */
  serveWith(create: () => HttpServer): HttpServer[]
  release(): void
}

/** "localhost" is either of these to a browser, so both must lead to the same bank. */
const LOOPBACKS = ['127.0.0.1', '::1']
const TRIES = 100

/**
 * Takes the wanted port, or the next free one unless the port was fixed by the configuration; 0 is any free one. The port is
 * held from here on, while the rest of the bank starts, so that two banks starting at once do not want the same.
 * Throws StartError when the port was asked for and is taken.
 */
export async function reservePort({ port, fixed }: { port: number; fixed: boolean }): Promise<ReservedPort> {
  for (let tries = 0; tries < TRIES && port + tries <= 65_535; tries++) {
    const listeners = await listenOnAll(port === 0 ? 0 : port + tries)
    if (listeners) return reservation(listeners)
    if (fixed && port !== 0) throw new StartError(`PORT ${port} is taken by another program; set PORT to a free one.`)
  }
  throw new StartError(`No port from ${port} on is free; set PORT to a free one.`)
}

function reservation(listeners: Server[]): ReservedPort {
  const [first] = listeners
  if (!first) throw new StartError('This machine has no loopback address to listen on.')
  return {
    port: portOf(first),
    serveWith: (create) => listeners.map((listener) => create().listen(listener)),
    release: () => listeners.forEach((listener) => listener.close()),
  }
}

const portOf = (listener: Server): number => (listener.address() as AddressInfo).port

/** One listener for each loopback address that this machine has, or null when the port is taken on any of them. */
async function listenOnAll(port: number): Promise<Server[] | null> {
  const listeners: Server[] = []
  for (const host of LOOPBACKS) {
    const [first] = listeners
    const listener = await listen(first ? portOf(first) : port, host)
    if (listener === 'taken') {
      for (const taken of listeners) taken.close()
      return null
    }
    if (listener !== 'no such address') listeners.push(listener)
  }
  return listeners
}

async function listen(port: number, host: string): Promise<Server | 'taken' | 'no such address'> {
  // Requests before the bank is open are refused.
  const listener = createServer((socket) => socket.destroy()).listen({ port, host, ipv6Only: host === '::1' })
  try {
    await once(listener, 'listening')
    return listener
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') return 'taken'
    if (code === 'EACCES') throw new StartError(`PORT ${port} needs rights that this user does not have.`)
    if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return 'no such address'
    throw error
  }
}
