import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Balancer = {
  url: string
  /** Sends further requests to these servers in turn. Resolves once no other server has a request in progress. */
  serve(urls: readonly string[]): Promise<void>
  /** Adds a server that receives requests while it reports that it is ready. Resolves once it is ready. */
  add(url: string): Promise<void>
  close(): void
}

const LOOK_MS = 5
/** The interval between readiness checks, in milliseconds. */
const CHECK_MS = 200

/** Opens a load balancer like haproxy in front of several servers. It keeps connections open and retries no request. */
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
    const forwardedRequest = request(`${target}${url}`, { method, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(outgoing)
    })
    forwardedRequest.on('error', () => outgoing.destroy())
    incoming.pipe(forwardedRequest)
  }
  const watchedUrls = new Set<string>()
  const check = async (): Promise<void> => {
    for (const url of watchedUrls) {
      const answer = await fetch(`${url}/readyz`).catch(() => null)
      const otherTargets = targets.filter((target) => target !== url)
      targets = answer?.status === 200 ? [...otherTargets, url] : otherTargets
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
      // A request on a connection that the bank is about to close would fail.
      for (const [url, agent] of agents) if (!urls.includes(url)) agent.destroy()
    },
    add: async (url) => {
      watchedUrls.add(url)
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
