import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BankProcess, endAll, startBank, until } from '#server/faults/bank-process.ts'
import { type OwnCluster, ownCluster } from '#server/faults/own-cluster.ts'
import { openPayers } from '#server/faults/payers.ts'

let cluster: OwnCluster
let dir: string
beforeAll(async () => {
  cluster = await ownCluster()
  dir = mkdtempSync(join(tmpdir(), 'alder-faults-'))
})
afterAll(async () => {
  await endAll()
  await cluster.remove()
  rmSync(dir, { recursive: true, force: true })
})

const CHECK_MS = 200

/** What an operator's proxy does: asks each server whether it is ready, keeps connections, and tries no request twice. */
async function openProxy() {
  const agent = new Agent({ keepAlive: true })
  const servers = new Map<string, boolean>()
  let next = 0
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const ready = [...servers].filter(([, isReady]) => isReady).map(([url]) => url)
    const url = ready[next++ % ready.length]
    if (url === undefined) return void outgoing.writeHead(502).end()
    const { method, headers, url: path } = incoming
    const passed = request(url + path, {
      agent,
      ...(method ? { method } : {}),
      headers: { ...headers, connection: 'keep-alive' },
    })
    passed.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()))
    incoming.pipe(passed)
  }
  const check = async () => {
    for (const url of servers.keys()) {
      const answer = await fetch(`${url}/readyz`).catch(() => null)
      if (servers.has(url)) servers.set(url, answer?.status === 200)
    }
  }
  const timer = setInterval(() => void check(), CHECK_MS)
  const server: Server = createServer(forward).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    add: async (url: string) => {
      servers.set(url, false)
      await until('the proxy sends requests there', 30_000, () => servers.get(url) === true)
    },
    close: () => {
      clearInterval(timer)
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}

test('servers are replaced one after the other, and no request is dropped', { timeout: 300_000 }, async () => {
  const proxy = await openProxy()
  const start = async (): Promise<BankProcess> => {
    const bank = await startBank({
      dir,
      env: {
        BANK_SECRET: 'a secret of the operator, long enough',
        DATABASE_URL: cluster.ownerUrl(),
        PUBLIC_URL: proxy.url,
        TRUST_PROXY: 'true',
        LOG_LEVEL: 'error',
        DRAIN_SECONDS: '2',
      },
      main: 'server/faults/tireless-bank.ts',
    })
    await proxy.add(bank.url)
    return bank
  }
  const banks = [await start(), await start()]
  const payers = await openPayers(proxy.url)
  const statuses = new Map<number | null, number>()
  let going = true
  const pay = async () => {
    while (going) {
      const status = await payers.send()
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const paying = Promise.all(Array.from({ length: 8 }, pay))
  for (const bank of banks) {
    await start()
    await sleep(1_000)
    expect(await bank.end('SIGTERM')).toBe(0)
    await sleep(1_000)
  }
  going = false
  await paying
  expect([...statuses.keys()]).toEqual([200])
  expect(payers.acknowledged()).toBeGreaterThan(100)
  await payers.verify(proxy.url)
  proxy.close()
})
