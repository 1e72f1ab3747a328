import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Proxy = {
  /** The given address, routed through the proxy. */
  url: string
  /**
   * Stops all data, or only PostgreSQL's answers, from now on. Connections stay open and new ones are accepted, as if the
   * host's packets were dropped.
   */
  swallow(what: 'everything' | 'answers'): void
  /** Lets data pass again, starting with the data held back. */
  restore(): void
  close(): void
}

/** Opens a proxy between the bank and its PostgreSQL that can stop passing data. */
export async function blackHole(url: string): Promise<Proxy> {
  const target = new URL(url)
  const pairs = new Set<{ client: Socket; host: Socket }>()
  let swallowed: 'everything' | 'answers' | null = null
  const apply = ({ client, host }: { client: Socket; host: Socket }): void => {
    if (swallowed === 'everything') client.pause()
    else client.resume()
    if (swallowed) host.pause()
    else host.resume()
  }
  const server = createServer((client) => {
    // A PostgreSQL with a socket in its folder also listens on this TCP address.
    const host = connect(Number(target.port), target.hostname.startsWith('%2F') ? '127.0.0.1' : target.hostname)
    const pair = { client, host }
    pairs.add(pair)
    for (const [sender, receiver] of [
      [client, host],
      [host, client],
    ] as const) {
      sender.on('data', (part) => receiver.write(part))
      sender.on('error', () => undefined)
      sender.on('end', () => receiver.end())
      sender.on('close', () => {
        pairs.delete(pair)
        receiver.destroy()
      })
    }
    apply(pair)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxied = new URL(url)
  proxied.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const applyToAll = (): void => pairs.forEach(apply)
  return {
    url: proxied.toString(),
    swallow: (traffic) => {
      swallowed = traffic
      applyToAll()
    },
    restore: () => {
      swallowed = null
      applyToAll()
    },
    close: () => {
      server.close()
      for (const { client, host } of pairs) {
        client.destroy()
        host.destroy()
      }
    },
  }
}
