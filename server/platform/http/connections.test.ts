import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import type { ConnectionLimits } from '#server/platform/http/connections.ts'
import { createHttpServer } from '#server/platform/http/listen.ts'

/** A body that is larger than the operating system's buffers for a client that does not read. */
const LARGE = Buffer.alloc(24 * 1024 * 1024)

const servers: Server[] = []
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** Starts an HTTP server with small limits and the routes /large, /echo and /wait. /wait waits for a call of `release`. */
async function serve(limits: Partial<ConnectionLimits>, config: { trustProxy?: boolean } = {}) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const fetchResponse = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (pathname === '/large') return new Response(LARGE)
    if (pathname === '/wait') await released
    return new Response(pathname === '/echo' ? await request.text() : 'here')
  }
  const deps = { config: { origin: null, trustProxy: false, ...config } as never, log: pino({ level: 'silent' }) }
  const server = createHttpServer(deps, { fetch: fetchResponse }, limits).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, release, isServed: async () => (await fetch(`http://127.0.0.1:${port}/`)).status === 200 }
}

/** Opens a connection and collects the received data. */
async function openSocket(port: number) {
  const socket = connect({ port, host: '127.0.0.1' })
  sockets.push(socket)
  const connection = { text: '', over: false, socket }
  socket.on('error', () => undefined)
  socket.on('close', () => (connection.over = true))
  socket.setEncoding('latin1').on('data', (part: string) => (connection.text += part))
  await once(socket, 'connect')
  return connection
}

const posting = (length: number): string =>
  `POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`

test('a body that arrives too late is cut off, and a timely one is not', async () => {
  const { port, isServed } = await serve({ arrivalMs: 1_000, checkMs: 100 })
  const [slow, silent, fast] = [await openSocket(port), await openSocket(port), await openSocket(port)]
  slow.socket.write(posting(100_000))
  silent.socket.write(posting(10))
  fast.socket.write(posting(8_000) + '.'.repeat(8_000))
  for (let step = 0; step < 200 && !(slow.over && silent.over); step += 1) {
    if (!slow.over) slow.socket.write('.')
    await sleep(50)
  }
  for (const { text, over } of [slow, silent]) {
    expect(text).toMatch(/^HTTP\/1\.1 408 [\s\S]*x-content-type-options: nosniff[\s\S]*"code":"request_too_slow"/)
    expect(over).toBe(true)
  }
  await expect.poll(() => fast.text).toMatch(/^HTTP\/1\.1 200 /)
  expect(await isServed()).toBe(true)
})

test('a client that does not read its response is cut off', async () => {
  const { port, isServed } = await serve({ silenceMs: 300 })
  const { socket } = await openSocket(port)
  socket.pause()
  socket.write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await sleep(1_500)
  let readLength = 0
  socket.on('data', (part: string) => (readLength += part.length)).resume()
  await once(socket, 'close')
  expect(readLength).toBeLessThan(LARGE.length)
  expect(await isServed()).toBe(true)
})

test('a client that keeps reading gets the time it needs', async () => {
  const { port } = await serve({ silenceMs: 2_000 })
  const { socket } = await openSocket(port)
  let readLength = 0
  // Each chunk has up to 64 kB.
  socket.on('data', (part: string) => {
    readLength += part.length
    socket.pause()
    setTimeout(() => socket.resume(), 5)
  })
  socket.write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await expect.poll(() => readLength, { timeout: 60_000 }).toBeGreaterThan(LARGE.length)
})

test('an address has a maximum of connections, until it closes some', async () => {
  const { port } = await serve({ connectionsPerAddress: 3 })
  const connections = [await openSocket(port), await openSocket(port), await openSocket(port)]
  const spare = await openSocket(port)
  await expect.poll(() => spare.over).toBe(true)
  expect(connections.map(({ over }) => over)).toEqual([false, false, false])
  connections[0]?.socket.destroy()
  const served = async (): Promise<string> => {
    const next = await openSocket(port)
    next.socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    await expect.poll(() => next.over).toBe(true)
    return next.text
  }
  await expect.poll(served).toMatch(/^HTTP\/1\.1 200 /)
})

test('behind a trusted proxy, all connections come from one address and none are counted', async () => {
  const { port } = await serve({ connectionsPerAddress: 1 }, { trustProxy: true })
  const [firstConnection, secondConnection] = [await openSocket(port), await openSocket(port)]
  for (const { socket } of [firstConnection, secondConnection])
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await expect
    .poll(() => [firstConnection.text, secondConnection.text].map((text) => text.slice(0, 12)))
    .toEqual(Array(2).fill('HTTP/1.1 200'))
})

test('a connection has a maximum of open requests', async () => {
  const { port, release, isServed } = await serve({ requestsPerConnection: 4 })
  const request = 'GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const [modest, greedy] = [await openSocket(port), await openSocket(port)]
  modest.socket.write(request.repeat(4))
  greedy.socket.write(request.repeat(5))
  await expect.poll(() => greedy.over).toBe(true)
  release()
  await expect.poll(() => modest.text.match(/HTTP\/1\.1 200 /g)).toHaveLength(4)
  expect(await isServed()).toBe(true)
})
