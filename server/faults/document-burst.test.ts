import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BankProcess, endAll, startBank } from '#server/faults/bank-process.ts'
import { type Browser, openBrowser } from '#server/test/browser.ts'
import { toBody, uploadTestDocument, type Upload } from '#server/test/documents.ts'
import { chunkyPng, hugePng, jpegFile, largeJpeg, overlappingStreamsPdf, pdfFile, pngFile } from '#server/test/files.ts'

const MB = 1024 * 1024
const MAX_GROWTH = 100 * MB

let dir: string
let bank: BankProcess
let browser: Browser

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'alder-burst-'))
  // The settings are those of npm start (scripts/run.mjs).
  const env = { LOG_LEVEL: 'error', MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' }
  bank = await startBank({ dir, env })
  browser = openBrowser(() => bank.url)
  await browser.post('/api/v1/session/visit')
}, 60_000)
afterAll(async () => {
  await endAll()
  rmSync(dir, { recursive: true, force: true })
})

/** Returns the bank's current and peak memory in bytes, from Linux. */
function memory(): { now: number; peak: number } {
  const status = readFileSync(`/proc/${bank.child.pid}/status`, 'utf8')
  const bytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024
  return { now: bytes('VmRSS'), peak: bytes('VmHWM') }
}

/** Creates an upright photo of 48 megapixels, with the noise of a real one. */
async function largePhoto(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const
  const grain = sharp({ create: { width: 800, height: 600, channels: 3, background: '#888', noise } })
  const photo = sharp({ create: { width: 8000, height: 6000, channels: 3, background: '#888' } })
  const tiled = photo.composite([{ input: await grain.png().toBuffer(), tile: true }])
  return tiled.withMetadata({ orientation: 6 }).jpeg({ quality: 60 }).toBuffer()
}

const letter = { step: 'address', type: 'utility_bill', declared: 'application/pdf' }
const png = { declared: 'image/png' }

/** Sends many uploads at once and returns the response of each. */
async function burst(): Promise<[number, Upload][]> {
  const photo = toBody(await largePhoto())
  const full = toBody(await largeJpeg(10 * MB))
  const pdf = toBody(pdfFile(Buffer.alloc(10 * MB - 1000, 0x41)))
  const bomb = toBody(hugePng(30_000))
  const zeros = toBody(Buffer.alloc(10 * MB))
  const tooMuch = toBody(Buffer.alloc(11 * MB, 0xff))
  return [
    [200, { body: photo }],
    [200, { body: full }],
    [200, { body: toBody(await jpegFile({ width: 4600, height: 3400, progressive: true })) }],
    [422, { body: toBody(await jpegFile({ width: 8000, height: 8000, progressive: true })) }],
    [200, { ...png, body: toBody(await pngFile({ width: 6000, height: 6000 })) }],
    [422, { ...png, body: toBody(await pngFile({ width: 6000, height: 6000, progressive: true })) }],
    [200, { ...png, body: toBody(await pngFile({ width: 3400, height: 3400, progressive: true })) }],
    [422, { ...png, body: bomb }],
    [413, { body: tooMuch }],
    [415, { body: zeros }],
    [415, { body: '<html><script>alert(1)</script>' }],
    [200, { ...letter, body: pdf }],
    [200, { ...letter, body: pdf }],
    [415, { ...letter, body: zeros }],
    [200, { ...letter, body: toBody(overlappingStreamsPdf(10 * MB, 4000)) }],
    [200, { ...png, body: toBody(await chunkyPng(860_000)) }],
    [200, { step: 'selfie', type: 'selfie', body: toBody(await jpegFile({ width: 4000, height: 3000 })) }],
  ]
}

const onLinux = process.platform === 'linux'

test.runIf(onLinux)(
  'a burst of uploads, valid and invalid, takes less than 100 MB of the bank’s own memory',
  { timeout: 120_000 },
  async () => {
    const uploads = await burst()
    const memoryBefore = memory()
    const answers = await Promise.all(uploads.map(([, upload]) => uploadTestDocument(bank, browser, upload)))
    const after = memory()
    expect(answers.map(({ status }) => status)).toEqual(uploads.map(([status]) => status))
    expect(after.peak - memoryBefore.now).toBeLessThan(MAX_GROWTH)
    expect((await fetch(`${bank.url}/healthz`)).status).toBe(200)
  },
)
