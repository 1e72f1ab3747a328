import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCustomer } from '#server/identity/customers/customers.ts'
import type { Browser } from '#server/test/browser.ts'
import { expectRefusal } from '#server/test/people.ts'
import { testServer, type TestServer } from '#server/test/server.ts'
import { signInCookie } from '#server/test/sign-in.ts'

const SCRIPT = `document.body.textContent = 'hello';`
const PAGE = `<!doctype html><html><head><script>${SCRIPT}</script><script type="module" src="/assets/app-1a2b.js"></script></head></html>`
/** The page as a bank serves it, which says what it asks first, and in what language it begins where none was chosen. */
const pageThat = (asks: 'open' | 'visit' | 'public', language: 'english' | 'browser' = 'english') =>
  PAGE.replace('<html', `<html data-first-requests="${asks}" data-first-language="${language}"`)
const APP = `console.log('${'app '.repeat(1000)}')`

let server: TestServer
let browser: Browser
const webRoot = mkdtempSync(join(tmpdir(), 'alder-web-'))

beforeAll(async () => {
  mkdirSync(join(webRoot, 'assets'))
  writeFileSync(join(webRoot, 'index.html'), PAGE)
  writeFileSync(join(webRoot, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  writeFileSync(join(webRoot, 'manifest.webmanifest'), '{}')
  writeFileSync(join(webRoot, 'assets', 'app-1a2b.js'), APP)
  writeFileSync(join(webRoot, 'assets', 'other-1a2b.js'), APP)
  writeFileSync(join(webRoot, 'assets', 'other-1a2b.js.br'), brotliCompressSync(APP))
  server = await testServer({ webRoot })
  browser = server.browser()
})
afterAll(async () => {
  await server.close()
  rmSync(webRoot, { recursive: true })
})

const asPerson = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

test.each(['/', '/dashboard', '/transactions?q=coffee', '/claim/some.token', '/no/such/page', '/a.b/c'])(
  '%s opens the app',
  async (path) => {
    const answer = await browser.get(path, asPerson)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe(pageThat(path === '/' ? 'public' : 'visit'))
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
    expect(answer.headers.get('cache-control')).toBe('no-cache')
  },
)

test('the page may run our scripts and no others', async () => {
  const policy = (await browser.get('/', asPerson)).headers.get('content-security-policy') ?? ''
  const { createHash } = await import('node:crypto')
  const digest = createHash('sha256').update(SCRIPT).digest('base64')
  expect(policy).toContain(`script-src 'self' 'sha256-${digest}'; `)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:|\*/)
})

test('files with a digest in their name are kept for ever, others are asked about', async () => {
  const app = await browser.get('/assets/app-1a2b.js')
  expect(await app.text()).toBe(APP)
  expect(app.headers.get('content-type')).toMatch(/^text\/javascript/)
  expect(app.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const icon = await browser.get('/icon.svg')
  expect(icon.headers.get('content-type')).toMatch(/^image\/svg\+xml/)
  expect(icon.headers.get('cache-control')).toBe('no-cache')
  const manifest = await browser.get('/manifest.webmanifest')
  expect(manifest.headers.get('content-type')).toContain('application/manifest+json')
})

test.each(['/', '/icon.svg', '/assets/app-1a2b.js'])('%s is sent once to who has it', async (path) => {
  const first = await browser.get(path, asPerson)
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^(W\/)?".+"$/)
  const again = await browser.get(path, { headers: { ...asPerson.headers, 'if-none-match': etag } })
  expect(again.status).toBe(304)
  expect(await again.text()).toBe('')
})

test('what compresses is compressed, once where the build has done it', async () => {
  const headers = { 'accept-encoding': 'gzip' }
  expect((await browser.get('/assets/app-1a2b.js', { headers })).headers.get('content-encoding')).toBe('gzip')
  const built = await browser.get('/assets/other-1a2b.js', { headers: { 'accept-encoding': 'gzip, br' } })
  expect(built.headers.get('content-encoding')).toBe('br')
  expect(await built.text()).toBe(APP)
  const plain = await browser.get('/assets/app-1a2b.js', { headers: { 'accept-encoding': 'identity' } })
  expect(plain.headers.has('content-encoding')).toBe(false)
})

test.each([
  '/assets/gone-1a2b.js',
  '/missing.png',
  '/assets/%2e%2e/%2e%2e/package.json',
  '/..%2fpackage.json',
  '/assets/',
  '/.env',
])('%s is not there', async (path) =>
  expectRefusal(await browser.get(path, { headers: { accept: '*/*' } }), 'not_found'),
)

test('nothing but GET and HEAD gets the app', async () => {
  for (const method of ['POST', 'PUT', 'DELETE'])
    await expectRefusal(await browser.send(method, '/dashboard', undefined, asPerson), 'not_found')
  const head = await browser.send('HEAD', '/', undefined, asPerson)
  expect(head.status).toBe(200)
  expect(await head.text()).toBe('')
})

describe('where customers have to sign in', () => {
  let live: TestServer
  beforeAll(async () => {
    live = await testServer({ webRoot, config: { mode: 'live' } })
  })
  afterAll(() => live.close())

  const open = (path: string, cookie?: string) =>
    fetch(live.url + path, { redirect: 'manual', headers: { accept: 'text/html', ...(cookie && { cookie }) } })

  test.each([
    ['/dashboard', '/login?next=%2Fdashboard'],
    ['/transactions?category=food&q=a%20b', '/login?next=%2Ftransactions%3Fcategory%3Dfood%26q%3Da%2520b'],
    ['/claim?token=a-b', '/login?next=%2Fclaim%3Ftoken%3Da-b'],
    ['/no/such/page', '/login?next=%2Fno%2Fsuch%2Fpage'],
    ['//elsewhere.example', '/login?next=%2F%2Felsewhere.example'],
  ])('%s leads a signed-out visitor to sign in, and back', async (path, location) => {
    const answer = await open(path)
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe(location)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test.each(['/', '/signup', '/login?next=%2Fdashboard', '/reset-password?token=a', '/confirm-email?token=a'])(
    '%s opens to anybody',
    async (path) => {
      const answer = await open(path)
      expect(answer.status).toBe(200)
      expect(await answer.text()).toBe(pageThat('public', 'browser'))
    },
  )

  test('files are there for anybody', async () => {
    for (const file of ['/icon.svg', '/manifest.webmanifest', '/assets/app-1a2b.js'])
      expect((await live.browser().get(file)).status, file).toBe(200)
  })

  test('a signed-in customer gets the page until the session ends', async () => {
    const customer = await createCustomer(live.deps, { fullName: 'Ann Lee', email: 'ann@example.com' })
    const cookie = await signInCookie(live.deps, customer.id)
    expect((await open('/dashboard', cookie)).status).toBe(200)
    await live.browser().delete('/api/v1/session', { headers: { cookie } })
    expect((await open('/dashboard', cookie)).status).toBe(302)
  })
})

test('without a build there is the API alone', async () => {
  const bare = await testServer({ webRoot: join(webRoot, 'nowhere') })
  await expectRefusal(await bare.browser().get('/', asPerson), 'not_found')
  expect((await bare.browser().get('/healthz')).status).toBe(200)
  await bare.close()
})
