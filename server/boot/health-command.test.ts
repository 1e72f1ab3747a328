import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** A bank that listens on a single address of the machine. */
const HOST = '127.0.0.2'
const bank = createServer((request, response) => response.writeHead(request.url === '/healthz' ? 200 : 404).end())
let port = 0
beforeAll(async () => {
  await once(bank.listen(0, HOST), 'listening')
  port = (bank.address() as AddressInfo).port
})
afterAll(() => void bank.close())

const health = (env: Record<string, string>): Promise<number | null> => {
  const { promise, resolve } = Promise.withResolvers<number | null>()
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`
  const child = execFile('sh', ['scripts/alder.sh', 'health'], { env: { PATH, PORT: String(port), ...env } }, () =>
    resolve(child.exitCode),
  )
  return promise
}

// Other systems have only the loopback address 127.0.0.1 by default.
test.runIf(process.platform === 'linux')(
  'the check sends its request to the address that the bank listens on',
  async () => {
    expect(await health({ LISTEN_HOST: HOST })).toBe(0)
    expect(await health({ HEALTH_HOST: HOST })).toBe(0)
    expect(await health({ LISTEN_HOST: '::ffff:127.0.0.2' })).toBe(0)
    for (const LISTEN_HOST of ['', '0.0.0.0', `${HOST}, ::1`]) expect(await health({ LISTEN_HOST })).toBe(1)
  },
)
