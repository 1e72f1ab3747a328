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
/** Returns the page as a bank serves it, with its first requests and its initial language. */
const pageThat = (asks: 'open' | 'visit' | 'session' | 'nothing', language: 'english' | 'browser' = 'english') =>
  PAGE.replace('<html', `<html data-first-requests="${asks}" data-first-language="${language}" data-time-zone="UTC"`)
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
    expect(await answer.text()).toBe(pageThat(path === '/' ? 'nothing' : 'visit'))
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
    expect(answer.headers.get('cache-control')).toBe('private, no-cache')
  },
)

test('the page may run only our scripts', async () => {
  const policy = (await browser.get('/', asPerson)).headers.get('content-security-policy') ?? ''
  const { createHash } = await import('node:crypto')
  const digest = createHash('sha256').update(SCRIPT).digest('base64')
  expect(policy).toContain(`script-src 'self' 'sha256-${digest}'; `)
  expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:|\*/)
})

test('only our own pages may show the app in a frame, and may show only our pages in one', async () => {
  for (const path of ['/', '/dashboard', '/login', '/app-shell']) {
    const policy = (await browser.get(path, asPerson)).headers.get('content-security-policy') ?? ''
    const rules = policy.split('; ').filter((rule) => rule.startsWith('frame-'))
    expect(rules, path).toEqual(["frame-src 'self'", "frame-ancestors 'self'"])
  }
  const api = (await browser.get('/api/v1/session')).headers.get('content-security-policy')
  expect(api).toContain("frame-ancestors 'none'")
})

test('files with a digest in their name are cached permanently, and other files are revalidated', async () => {
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

test.each(['/', '/icon.svg', '/assets/app-1a2b.js'])('%s is not sent again to a client that has it', async (path) => {
  const first = await browser.get(path, asPerson)
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^(W\/)?".+"$/)
  const again = await browser.get(path, { headers: { ...asPerson.headers, 'if-none-match': etag } })
  expect(again.status).toBe(304)
  expect(await again.text()).toBe('')
})

test('compressible files are compressed, and only once if the build has compressed them', async () => {
  const headers = { 'accept-encoding': 'gzip' }
  expect((await browser.get('/assets/app-1a2b.js', { headers })).headers.get('content-encoding')).toBe('gzip')
  const built = await browser.get('/assets/other-1a2b.js', { headers: { 'accept-encoding': 'gzip, br' } })
  expect(built.headers.get('content-encoding')).toBe('br')
  expect(await built.text()).toBe(APP)
  const uncompressed = await browser.get('/assets/app-1a2b.js', { headers: { 'accept-encoding': 'identity' } })
  expect(uncompressed.headers.has('content-encoding')).toBe(false)
})

test.each([
  '/assets/gone-1a2b.js',
  '/missing.png',
  '/assets/%2e%2e/%2e%2e/package.json',
  '/..%2fpackage.json',
  '/assets/',
  '/.env',
])('%s does not exist', async (path) =>
  expectRefusal(await browser.get(path, { headers: { accept: '*/*' } }), 'not_found'),
)

test('only GET and HEAD return the app', async () => {
  for (const method of ['POST', 'PUT', 'DELETE'])
    await expectRefusal(await browser.send(method, '/dashboard', undefined, asPerson), 'not_found')
  const head = await browser.send('HEAD', '/', undefined, asPerson)
  expect(head.status).toBe(200)
  expect(await head.text()).toBe('')
})

describe('if customers have to sign in', () => {
  let liveServer: TestServer
  beforeAll(async () => {
    liveServer = await testServer({ webRoot, config: { mode: 'live' } })
  })
  afterAll(() => liveServer.close())

  const openPage = (path: string, cookie?: string) =>
    fetch(liveServer.url + path, { redirect: 'manual', headers: { accept: 'text/html', ...(cookie && { cookie }) } })

  test.each([
    ['/dashboard', '/login?next=%2Fdashboard'],
    ['/transactions?category=food&q=a%20b', '/login?next=%2Ftransactions%3Fcategory%3Dfood%26q%3Da%2520b'],
    ['/claim?token=a-b', '/login?next=%2Fclaim%3Ftoken%3Da-b'],
    ['/no/such/page', '/login?next=%2Fno%2Fsuch%2Fpage'],
    ['//elsewhere.example', '/login?next=%2F%2Felsewhere.example'],
  ])('%s redirects a signed-out visitor to sign in, and back', async (path, location) => {
    const answer = await openPage(path)
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe(location)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test.each(['/', '/signup', '/login?next=%2Fdashboard', '/reset-password?token=a', '/confirm-email?token=a'])(
    '%s opens for every visitor',
    async (path) => {
      const answer = await openPage(path)
      expect(answer.status).toBe(200)
      expect(await answer.text()).toBe(pageThat(path === '/' ? 'nothing' : 'session', 'browser'))
    },
  )

  test('files are served to every visitor', async () => {
    for (const file of ['/icon.svg', '/manifest.webmanifest', '/assets/app-1a2b.js'])
      expect((await liveServer.browser().get(file)).status, file).toBe(200)
  })

  test('a signed-in customer gets the page until the session ends', async () => {
    const customer = await createCustomer(liveServer.deps, { fullName: 'Ann Lee', email: 'ann@example.com' })
    const cookie = await signInCookie(liveServer.deps, customer.id)
    expect((await openPage('/dashboard', cookie)).status).toBe(200)
    await liveServer.browser().delete('/api/v1/session', { headers: { cookie } })
    expect((await openPage('/dashboard', cookie)).status).toBe(302)
  })
})

test('without a build the server has only the API', async () => {
  const bare = await testServer({ webRoot: join(webRoot, 'nowhere') })
  await expectRefusal(await bare.browser().get('/', asPerson), 'not_found')
  expect((await bare.browser().get('/healthz')).status).toBe(200)
  await bare.close()
})

describe('a page contains', () => {
  const root = mkdtempSync(join(tmpdir(), 'alder-pages-'))
  let drawing: TestServer
  beforeAll(async () => {
    writeFileSync(
      join(root, 'index.html'),
      '<!doctype html><html lang="en"><head><title>Alder</title><script type="module" src="/app.js"></script></head><body><div id="root"></div></body></html>',
    )
    const screens = {
      '/transfer': { scripts: ['assets/transfer-1.js'], styles: ['assets/transfer-1.css'], bytes: 1 },
      '*': { scripts: ['assets/none-1.js'], styles: [], bytes: 1 },
    }
    writeFileSync(join(root, 'pages.json'), JSON.stringify({ firstBytes: 1, screens, font: 'assets/inter-1.woff2' }))
    const transfer = { en: ['Send Money', '$& here'], ar: ['إرسال', 'هنا'] }
    const drawn = Object.entries(transfer).map(([language, [title, text]]) => [
      language,
      {
        '/transfer': { title, html: `<h1>${text}</h1>`, asks: ['/contacts', '/limits?of=me'] },
        '/sample': { title: 'Sample', html: '<p>Panel</p>', asks: [] },
        '*': { title: 'Alder', html: '<p>Opening</p>', asks: [] },
      },
    ])
    writeFileSync(join(root, 'screens.json'), JSON.stringify(Object.fromEntries(drawn)))
    drawing = await testServer({ webRoot: root })
  })
  afterAll(async () => {
    await drawing.close()
    rmSync(root, { recursive: true })
  })
  const openPage = async (path: string, headers: Record<string, string> = {}) =>
    (await drawing.browser().get(path, { headers: { ...asPerson.headers, ...headers } })).text()

  test('its screen without data, visible but disabled', async () => {
    const page = await openPage('/transfer')
    expect(page).toContain('<div id="root" inert aria-busy="true"><h1>$& here</h1></div>')
    expect(page).toContain('<title>Send Money</title>')
    expect(page).toMatch(/<html data-drawn [^>]*lang="en" dir="ltr">/)
    // The screen's styles and fonts come first.
    expect(page).toContain('<script type="module" fetchpriority="low" src="/app.js">')
    expect(page).toContain('<link rel="preload" as="font"')
    expect(page).not.toContain('rel="modulepreload" crossorigin')
  })

  test('the sample panel, unless the bank is live', async () => {
    expect(await openPage('/sample')).toContain('<p>Panel</p>')
    const liveServer = await testServer({ webRoot: root, config: { mode: 'live' } })
    const livePage = await (await liveServer.browser().get('/sample', asPerson)).text()
    await liveServer.close()
    expect(livePage).toContain('<p>Opening</p>')
  })

  test('links to its screen’s data, which the page then fetches at once', async () => {
    expect(await openPage('/transfer')).toContain('data-first-data="/contacts /limits?of=me"')
    expect(await openPage('/no/such/screen')).toContain('data-first-data=""')
  })

  test('the names of its screen’s files', async () => {
    const page = await openPage('/transfer?a=b')
    expect(page).toContain('<link rel="modulepreload" fetchpriority="low" crossorigin href="/assets/transfer-1.js">')
    expect(page).toContain('<link rel="stylesheet" href="/assets/transfer-1.css">')
    expect(page).toContain('<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/inter-1.woff2">')
    const otherPage = await openPage('/no/such/screen')
    expect(otherPage).toContain('/assets/none-1.js')
    expect(otherPage).not.toContain('transfer-1')
    expect(otherPage).toContain('<div id="root" inert aria-busy="true"><p>Opening</p></div>')
  })

  test.each([
    ['alder-language=ar', 'ar'],
    ['alder-language=xx', 'en'],
    ['alder-language=__proto__', 'en'],
    ['', 'en'],
  ])('the language of the cookie "%s"', async (cookie, language) => {
    const page = await openPage('/transfer', { cookie, 'accept-language': 'ar' })
    expect(page).toContain(language === 'ar' ? 'dir="rtl"' : 'dir="ltr"')
    expect(page).toContain(language === 'ar' ? '<title>إرسال</title>' : '<title>Send Money</title>')
  })

  test('its first requests, depending on who opens it, and no personal data', async () => {
    expect(await openPage('/')).toContain('data-first-requests="nothing"')
    expect(await openPage('/login')).toContain('data-first-requests="session"')
    const stranger = await openPage('/transfer')
    expect(stranger).toContain('data-first-requests="visit"')
    const visitor = await drawing.visitor()
    const visitorPage = await (await visitor.get('/transfer', asPerson)).text()
    expect(visitorPage).toBe(stranger.replace('"visit"', '"open"'))
  })
})
