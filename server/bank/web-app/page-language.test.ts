import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '#server/test/server.ts'

// The sources from which the build makes the served files.
const PAGE = readFileSync('index.html', 'utf8')
const MANIFEST = readFileSync('web/public/manifest.webmanifest', 'utf8')

const webRoot = mkdtempSync(join(tmpdir(), 'alder-page-'))
writeFileSync(join(webRoot, 'index.html'), PAGE)
writeFileSync(join(webRoot, 'manifest.webmanifest'), MANIFEST)
let sample: TestServer
let liveServer: TestServer

beforeAll(async () => {
  sample = await testServer({ webRoot })
  liveServer = await testServer({ webRoot, config: { mode: 'live' } })
})
afterAll(async () => {
  await sample.close()
  await liveServer.close()
  rmSync(webRoot, { recursive: true })
})

const DANISH_THEN_GERMAN = { 'accept-language': 'da-DK, de-AT;q=0.8, en;q=0.5' }
const page = async ({ browser }: TestServer, headers: Record<string, string>) =>
  (await browser().get('/login', { headers: { accept: 'text/html', ...headers } })).text()
const manifest = async ({ browser }: TestServer, headers: Record<string, string>) =>
  (await browser().get('/manifest.webmanifest', { headers })).json()

describe('the page', () => {
  test('of a live bank is in the first of the browser’s languages that the bank supports', async () => {
    const text = await page(liveServer, DANISH_THEN_GERMAN)
    expect(text).toMatch(/<html[^>]* lang="de" dir="ltr"/)
    expect(text).toContain('content="Alder ist die Bank für die Hosentasche')
    expect(text).toMatch(/<noscript>Alder braucht JavaScript[^<]*<\/noscript>/)
    expect(text).toMatch(/<p>Alder wurde nicht vollständig geladen[^<]*<\/p>\s*<button type="button">Erneut versuchen</)
  })

  test('of a sample bank is in English until another language is chosen on the device', async () => {
    expect(await page(sample, DANISH_THEN_GERMAN)).toMatch(/<html[^>]* lang="en" dir="ltr"/)
    const text = await page(sample, { ...DANISH_THEN_GERMAN, cookie: 'alder-language=ar' })
    expect(text).toMatch(/<html[^>]* lang="ar" dir="rtl"/)
    expect(text).toContain('<noscript>يحتاج Alder')
    expect(await page(sample, { cookie: 'alder-language=__proto__' })).toMatch(/<html[^>]* lang="en" dir="ltr"/)
  })

  test('in English has the texts of the built file', async () => {
    const textsIn = (html: string) => [
      /name="description"\s+content="([^"]*)"/.exec(html)?.[1],
      /<noscript>([^<]*)/.exec(html)?.[1],
      /id="not-loaded"[^>]*>\s*<p>([^<]*)/.exec(html)?.[1],
      /id="not-loaded"[^]*?<button type="button">([^<]*)/.exec(html)?.[1],
    ]
    const servedTexts = textsIn((await page(sample, {})).replaceAll('&#39;', "'"))
    expect(servedTexts).toEqual(textsIn(PAGE))
    expect(servedTexts).toEqual(Array.from({ length: 4 }, () => expect.any(String)))
  })
})

describe('the manifest', () => {
  test('is in the same language as the page', async () => {
    const built = JSON.parse(MANIFEST)
    const arabic = await manifest(sample, { cookie: 'alder-language=ar' })
    expect(arabic).toMatchObject({ lang: 'ar', dir: 'rtl', description: 'بنك في جيبك.', icons: built.icons })
    expect(arabic.shortcuts.map(({ name }: { name: string }) => name)).toEqual([
      'إرسال الأموال',
      'إضافة أموال',
      'المعاملات',
    ])
    expect(await manifest(liveServer, DANISH_THEN_GERMAN)).toMatchObject({
      lang: 'de',
      description: 'Die Bank für die Hosentasche.',
    })
    expect(await manifest(sample, {})).toEqual({ ...built, lang: 'en', dir: 'ltr' })
  })

  test('declares that its response varies by language', async () => {
    const answer = await liveServer.browser().get('/manifest.webmanifest')
    expect(answer.headers.get('content-type')).toBe('application/manifest+json')
    expect(answer.headers.get('vary')?.toLowerCase()).toContain('accept-language, cookie')
  })
})
