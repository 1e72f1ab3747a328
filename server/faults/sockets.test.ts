import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BankProcess, endAll, startBank } from '#server/faults/bank-process.ts'
import { testContext } from '#server/test/context.ts'
import { testDatabase, type TestDatabase } from '#server/test/database.ts'

/** The pieces that a client sends, and the expected statuses. Without statuses, the connection just closes. */
type Case = {
  name: string
  send: (string | Buffer)[]
  /** The statuses of all responses on the connection, in order. */
  statuses: number[]
  /** Whether the client closes its side after the last piece. */
  halfClose?: boolean
}

const HOST = 'Host: localhost\r\n'
const CLOSE = 'Connection: close\r\n'
const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`
const post = (headers: string, body = ''): string =>
  `POST /api/v1/session/visit HTTP/1.1\r\n${HOST}${headers}\r\n${body}`

const ASKED_FOR_NOTHING: Case[] = [
  { name: 'no Host', send: ['GET / HTTP/1.1\r\n\r\n'], statuses: [400] },
  { name: 'two Hosts', send: [`GET /healthz HTTP/1.1\r\n${HOST}Host: evil.example\r\n${CLOSE}\r\n`], statuses: [400] },
  { name: 'an empty Host', send: [`GET /healthz HTTP/1.1\r\nHost:\r\n${CLOSE}\r\n`], statuses: [400] },
  { name: 'a Host with a NUL byte', send: ['GET /healthz HTTP/1.1\r\nHost: a\0b\r\n\r\n'], statuses: [400] },
  {
    name: 'a request target in absolute form',
    send: [`GET http://localhost/healthz HTTP/1.1\r\n${HOST}${CLOSE}\r\n`],
    statuses: [200],
  },
  { name: 'a broken absolute form', send: [`GET http://[/ HTTP/1.1\r\n${HOST}${CLOSE}\r\n`], statuses: [400] },
  { name: 'CONNECT', send: [`CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n`], statuses: [400] },
  { name: 'OPTIONS *', send: [`OPTIONS * HTTP/1.1\r\n${HOST}${CLOSE}\r\n`], statuses: [400] },
  { name: 'TRACE', send: [`TRACE /api/v1/me HTTP/1.1\r\n${HOST}${CLOSE}\r\n`], statuses: [403] },
  { name: 'an unknown method', send: [`STEAL / HTTP/1.1\r\n${HOST}${CLOSE}\r\n`], statuses: [400] },
  {
    name: 'Upgrade to a websocket',
    send: [get('/healthz', 'Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n')],
    statuses: [200],
  },
  {
    name: 'Upgrade to h2c',
    send: [
      get('/healthz', 'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'),
    ],
    statuses: [200],
  },
  { name: 'the preface of HTTP/2', send: ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], statuses: [400] },
  { name: 'HTTP/1.0 without Host', send: ['GET /api/v1/session HTTP/1.0\r\n\r\n'], statuses: [400] },
  { name: 'a balancer, with HTTP/1.0 without Host', send: ['GET /healthz HTTP/1.0\r\n\r\n'], statuses: [200] },
  { name: 'HTTP/1.0 with Host', send: [`GET /healthz HTTP/1.0\r\n${HOST}\r\n`], statuses: [200] },
  { name: 'HTTP/0.9', send: ['GET /healthz\r\n'], statuses: [400], halfClose: true },
  { name: 'TLS', send: [Buffer.from('16030100c8010000c40303', 'hex')], statuses: [400] },
  { name: 'NUL bytes', send: [Buffer.alloc(2_000)], statuses: [400] },
  { name: 'a path with a NUL byte', send: ['GET /a\0b HTTP/1.1\r\nHost: localhost\r\n\r\n'], statuses: [400] },
  { name: 'a request line of 20 kB', send: [get(`/${'a'.repeat(20_000)}`)], statuses: [431] },
  { name: 'a header of 20 kB', send: [get('/', `X-Long: ${'a'.repeat(20_000)}\r\n`)], statuses: [431] },
  { name: '5,000 headers', send: [get('/', 'a:b\r\n'.repeat(5_000))], statuses: [431] },
  {
    name: 'an endless header',
    send: ['GET / HTTP/1.1\r\nHost: localhost\r\nX-Half: '],
    statuses: [400],
    halfClose: true,
  },
  { name: 'a header with a space before its colon', send: [get('/', 'X-Odd : 1\r\n')], statuses: [400] },
  { name: 'a folded line', send: [get('/', 'X-Odd: 1\r\n 2\r\n')], statuses: [400] },
]

const BODIES: Case[] = [
  { name: 'a length that is not a number', send: [post('Content-Length: ten\r\n')], statuses: [400] },
  { name: 'a negative length', send: [post('Content-Length: -1\r\n')], statuses: [400] },
  { name: 'two lengths', send: [post('Content-Length: 2\r\nContent-Length: 3\r\n', '{}')], statuses: [400] },
  {
    name: 'a length and a transfer encoding',
    send: [post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n')],
    statuses: [400],
  },
  { name: 'an unknown transfer encoding', send: [post('Transfer-Encoding: zip\r\n', 'x')], statuses: [400] },
  { name: 'a chunk without a size', send: [post(`Transfer-Encoding: chunked\r\n${CLOSE}`, 'zz\r\n')], statuses: [400] },
  {
    name: 'a chunk with 20 kB of extensions',
    send: [post(`Transfer-Encoding: chunked\r\n${CLOSE}`, `2;${'a'.repeat(20_000)}\r\n{}\r\n`)],
    statuses: [413],
  },
  { name: 'a truncated body', send: [post('Content-Length: 100\r\n', '{')], statuses: [403], halfClose: true },
  { name: 'a length beyond any memory', send: [post(`Content-Length: 9007199254740991\r\n${CLOSE}`)], statuses: [403] },
  { name: 'a GET with a body', send: [get('/healthz', `Content-Length: 4\r\n${CLOSE}`), 'body'], statuses: [200] },
  {
    name: 'a client that expects 100 Continue',
    send: [post(`Expect: 100-continue\r\nContent-Length: 2\r\n${CLOSE}`), '{}'],
    statuses: [100, 403],
  },
  { name: 'another expectation', send: [get('/healthz', `Expect: a-miracle\r\n${CLOSE}`)], statuses: [417] },
]

const CONNECTIONS: Case[] = [
  { name: 'no data, half closed', send: [], statuses: [], halfClose: true },
  { name: 'a request, half closed', send: [get('/healthz')], statuses: [200], halfClose: true },
  {
    name: 'requests in a row',
    send: [get('/healthz').repeat(3), get('/healthz', CLOSE)],
    statuses: [200, 200, 200, 200],
  },
  { name: 'a request, then garbage', send: [`${get('/healthz')}\0\x01\x02garbage\r\n\r\n`], statuses: [200, 400] },
  { name: 'empty lines before a request', send: [`\r\n\r\n${get('/healthz', CLOSE)}`], statuses: [200] },
]

/**
 * Sends the pieces and returns all bytes received once the server has closed the connection. Throws if the server does not
 * close it soon.
 */
async function talk(port: number, { send, halfClose }: Case): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let text = ''
  socket.setEncoding('latin1').on('data', (part: string) => (text += part))
  // If the server closes while the client still sends, the connection is reset. A reset is a valid outcome.
  socket.on('error', () => undefined)
  const closed = new Promise<boolean>((resolve) => {
    socket.on('end', () => resolve(true)).on('close', () => resolve(true))
  })
  for (const piece of send) {
    socket.write(piece)
    await sleep(5)
  }
  if (halfClose) socket.end()
  const inTime = await Promise.race([closed, sleep(3_000, false)])
  socket.destroy()
  if (!inTime) throw new Error(`The connection was still open after 3 s. Its response so far: ${text}`)
  return text
}

const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})[^\r\n]*\r\n/g)].map(([, status]) => Number(status))

/** Returns the header blocks of the responses. */
const headersIn = (text: string): string[] =>
  text.split(/(?=HTTP\/1\.1 \d{3})/).map((each) => each.split('\r\n\r\n')[0] ?? '')

/** Makes the bank reject a promise without a handler on this signal. */
const LOSE_A_PROMISE = "process.on('SIGUSR2',()=>void Promise.reject(new Error('lost')))"

describe.each(['sample', 'live'] as const)('in %s mode', (mode) => {
  let dir: string
  let database: TestDatabase
  let bank: BankProcess
  let port: number
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'alder-faults-'))
    // A live bank needs an empty database, because the tests' template belongs to a sample bank.
    database = await testDatabase(mode === 'live' ? 'template0' : 'template_bank')
    const live = { BANK_MODE: 'live', PUBLIC_URL: 'https://bank.example', SMTP_URL: 'smtp://127.0.0.1:1' }
    bank = await startBank({
      dir,
      env: {
        DATABASE_URL: database.ownerUrl,
        BANK_SECRET: testContext('secret'),
        LOG_LEVEL: 'silent',
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(LOSE_A_PROMISE)}`,
        ...(mode === 'live' ? live : {}),
      },
    })
    port = Number(new URL(bank.url).port)
  })
  afterAll(async () => {
    await endAll()
    await database.drop()
    rmSync(dir, { recursive: true, force: true })
  })

  test.each([...ASKED_FOR_NOTHING, ...BODIES, ...CONNECTIONS])('$name', async (each) => {
    const text = await talk(port, each)
    expect(statusesIn(text)).toEqual(each.statuses)
    for (const [index, status] of each.statuses.entries()) {
      if (status < 400) continue
      const headers = headersIn(text)[index]?.toLowerCase()
      expect(headers).toContain('\r\nx-content-type-options: nosniff')
      expect(headers).toContain("\r\ncontent-security-policy: default-src 'none'")
      expect(headers).toContain('\r\ncontent-type: application/json')
      expect(headers).toMatch(/\r\nx-request-id: [\da-f-]{36}/)
    }
    expect((await fetch(`${bank.url}/healthz`)).status).toBe(200)
    expect(bank.child.exitCode).toBeNull()
  })

  test('has a promise without await', async () => {
    bank.child.kill('SIGUSR2')
    await sleep(200)
    expect((await fetch(`${bank.url}/healthz`)).status).toBe(200)
    expect(bank.child.exitCode).toBeNull()
  })
})
