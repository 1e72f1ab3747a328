import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { createServer, isIPv6, type AddressInfo, type Server } from 'node:net'
import { StartError } from '#server/platform/process/start-error.ts'

/** A port that the bank holds on every address on which it will listen. */
export type ReservedPort = {
  port: number
  /** The URL of the bank. Its host is "localhost", unless the bank listens only on other addresses. */
  url: string
  /** Starts an HTTP server on each address. */
  serveWith(create: () => HttpServer): HttpServer[]
  release(): void
}

/** The loopback addresses. A browser may use either of them for "localhost", so the bank listens on both. */
const LOOPBACKS = ['127.0.0.1', '::1']
/** The wildcard addresses. `ALL` also covers IPv4, unless the configuration lists `ALL_OF_IPV4` as well. */
const ALL_OF_IPV4 = '0.0.0.0'
const ALL = '::'
const TRIES = 100

/**
 * The port to take. If `fixed` is true, no other port may be taken instead. `hosts` lists the addresses to listen on; null
 * means the loopback addresses of this machine.
 */
type WantedPort = { port: number; fixed: boolean; hosts?: readonly string[] | null }

/**
 * Takes a port. If the wanted port is taken, the next free port is used, unless the port is fixed. The port 0 means any free
 * port. The port is held while the rest of the bank starts, so that two banks that start at the same time get different ports.
 * Throws StartError if a fixed port is taken, or if this machine does not have a requested address.
 */
export async function reservePort({ port, fixed, hosts: givenHosts = null }: WantedPort): Promise<ReservedPort> {
  const hosts = givenHosts && withoutCovered(givenHosts)
  for (let tries = 0; tries < TRIES && port + tries <= 65_535; tries++) {
    const listeners = await listenOnAll(port === 0 ? 0 : port + tries, hosts)
    if (listeners) return reservation(listeners, hosts)
    if (fixed && port !== 0) throw new StartError(`PORT ${port} is taken by another program; set PORT to a free one.`)
  }
  throw new StartError(`No port from ${port} on is free; set PORT to a free one.`)
}

/** Removes the addresses that a wildcard address covers, because the system refuses to listen on both. */
function withoutCovered(hosts: readonly string[]): readonly string[] {
  const [hasAll, hasAllOfIpv4] = [hosts.includes(ALL), hosts.includes(ALL_OF_IPV4)]
  return hosts.filter(
    (host) => host === ALL || host === ALL_OF_IPV4 || !(isIPv6(host) ? hasAll : hasAllOfIpv4 || hasAll),
  )
}

function reservation(listeners: Server[], hosts: readonly string[] | null): ReservedPort {
  const [first] = listeners
  if (!first) throw new StartError('This machine has no loopback address to listen on.')
  return {
    port: portOf(first),
    url: `http://${nameFor(hosts ?? LOOPBACKS)}:${portOf(first)}`,
    serveWith: (create) => listeners.map((listener) => create().listen(listener)),
    release: () => listeners.forEach((listener) => listener.close()),
  }
}

const portOf = (listener: Server): number => (listener.address() as AddressInfo).port

/** Returns the host for a URL that a browser on this machine can open: "localhost", or the first address. */
function nameFor(hosts: readonly string[]): string {
  if ([...LOOPBACKS, ALL_OF_IPV4, ALL].some((host) => hosts.includes(host))) return 'localhost'
  const [first = ''] = hosts
  return isIPv6(first) ? `[${first}]` : first
}

/**
 * Opens a listener on each address, or on the loopback addresses if `hosts` is null. In that case, an address that this machine
 * does not have is skipped; otherwise StartError is thrown. Returns null if the port is taken on any of the addresses.
 */
async function listenOnAll(port: number, hosts: readonly string[] | null): Promise<Server[] | null> {
  const listeners: Server[] = []
  const release = () => listeners.forEach((listener) => listener.close())
  for (const host of hosts ?? LOOPBACKS) {
    const [first] = listeners
    const ipv6Only = host !== ALL || (hosts?.includes(ALL_OF_IPV4) ?? false)
    const listener = await listen({ port: first ? portOf(first) : port, host, ipv6Only }).catch((error: unknown) => {
      release()
      throw error
    })
    if (listener === 'taken') {
      release()
      return null
    }
    if (listener !== 'no such address') listeners.push(listener)
    else if (hosts) {
      release()
      throw new StartError(`LISTEN_HOST ${host} is no address of this machine.`)
    }
  }
  return listeners
}

type ListenAddress = { port: number; host: string; ipv6Only: boolean }

async function listen({ port, host, ipv6Only }: ListenAddress): Promise<Server | 'taken' | 'no such address'> {
  // Each connection is closed immediately until the bank is open.
  const listener = createServer((socket) => socket.destroy()).listen({ port, host, ipv6Only })
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
