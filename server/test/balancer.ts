import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Balancer = {
  url: string
  /** From now on requests go to these servers in turn. Resolves once no other one has a request under way. */
  serve(urls: readonly string[]): Promise<void>
  /** Has one more server have requests, whenever it says that it is ready. Resolves once it has. */
  add(url: string): Promise<void>
  close(): void
}

const LOOK_MS = 5
/** How often servers are asked whether they are ready, in milliseconds. */
const CHECK_MS = 200

/** What stands in front of several servers, as haproxy would: it keeps connections, and tries no request twice. */
export async function openBalancer(): Promise<Balancer> {
  const agents = new Map<string, Agent>()
  const underWay = new Map<string, number>()
  let targets: readonly string[] = []
  let turn = 0
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const target = targets[(turn += 1) % targets.length]
    if (target === undefined) return void outgoing.writeHead(502).end()
    const agent = agents.get(target) ?? new Agent({ keepAlive: true })
    agents.set(target, agent)
    underWay.set(target, (underWay.get(target) ?? 0) + 1)
    outgoing.once('close', () => underWay.set(target, (underWay.get(target) ?? 0) - 1))
    const { method = 'GET', url = '/', headers } = incoming
    const sent = request(`${target}${url}`, { method, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(outgoing)
    })
    sent.on('error', () => outgoing.destroy())
    incoming.pipe(sent)
  }
  const watched = new Set<string>()
  const check = async (): Promise<void> => {
    for (const url of watched) {
      const answer = await fetch(`${url}/readyz`).catch(() => null)
      const others = targets.filter((target) => target !== url)
      targets = answer?.status === 200 ? [...others, url] : others
    }
  }
  const timer = setInterval(() => void check(), CHECK_MS)
  const server = createServer(forward).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    serve: async (urls) => {
      targets = urls
      const busy = () => [...underWay].some(([url, count]) => count > 0 && !urls.includes(url))
      while (busy()) await sleep(LOOK_MS)
      // A connection that the bank is about to close would take the next request with it.
      for (const [url, agent] of agents) if (!urls.includes(url)) agent.destroy()
    },
    add: async (url) => {
      watched.add(url)
      while (!targets.includes(url)) await sleep(LOOK_MS)
    },
    close: () => {
      clearInterval(timer)
      server.close()
      server.closeAllConnections()
      for (const agent of agents.values()) agent.destroy()
    },
  }
}
