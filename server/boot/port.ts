import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { createServer, isIPv6, type AddressInfo, type Server } from 'node:net'
import { StartError } from '#server/platform/process/start-error.ts'

/** A port that is ours on every address to listen on. */
export type ReservedPort = {
  port: number
  /** Where the bank can be found: by the name "localhost", unless it listens elsewhere alone. */
  url: string
  /** Has HTTP servers answer on it, one for each address. */
  serveWith(create: () => HttpServer): HttpServer[]
  release(): void
}

/** "localhost" is either of these to a browser, so both must lead to the same bank. */
const LOOPBACKS = ['127.0.0.1', '::1']
/** Every address of the machine; the second takes those of IPv4 as well, unless the first is listened on, too. */
const ALL_OF_IPV4 = '0.0.0.0'
const ALL = '::'
const TRIES = 100

/** `hosts`: the addresses to listen on; null for the loopback addresses that this machine has. */
type WantedPort = { port: number; fixed: boolean; hosts?: readonly string[] | null }

/**
 * Takes the wanted port, or the next free one unless the port was fixed by the configuration; 0 is any free one. The port is
 * held from here on, while the rest of the bank starts, so that two banks starting at once do not want the same.
 * Throws StartError when the port was asked for and is taken, or the machine does not have an address that was.
 */
export async function reservePort({ port, fixed, hosts: told = null }: WantedPort): Promise<ReservedPort> {
  const hosts = told && withoutCovered(told)
  for (let tries = 0; tries < TRIES && port + tries <= 65_535; tries++) {
    const listeners = await listenOnAll(port === 0 ? 0 : port + tries, hosts)
    if (listeners) return reservation(listeners, hosts)
    if (fixed && port !== 0) throw new StartError(`PORT ${port} is taken by another program; set PORT to a free one.`)
  }
  throw new StartError(`No port from ${port} on is free; set PORT to a free one.`)
}

/** Addresses without those that another one covers: who listens on all of the machine's cannot listen on one of them as well. */
function withoutCovered(hosts: readonly string[]): readonly string[] {
  const [all, allOfIpv4] = [hosts.includes(ALL), hosts.includes(ALL_OF_IPV4)]
  return hosts.filter((host) => host === ALL || host === ALL_OF_IPV4 || !(isIPv6(host) ? all : allOfIpv4 || all))
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

/** What a browser on this machine would call the first of the addresses. */
function nameFor(hosts: readonly string[]): string {
  if ([...LOOPBACKS, ALL_OF_IPV4, ALL].some((host) => hosts.includes(host))) return 'localhost'
  const [first = ''] = hosts
  return isIPv6(first) ? `[${first}]` : first
}

/** One listener for each address (of the loopback ones, for those that are there), or null when the port is taken on any of them. */
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

type Place = { port: number; host: string; ipv6Only: boolean }

async function listen({ port, host, ipv6Only }: Place): Promise<Server | 'taken' | 'no such address'> {
  // Requests before the bank is open are refused.
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
