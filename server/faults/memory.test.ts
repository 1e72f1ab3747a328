import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BankProcess, endAll, startBank } from '#server/faults/bank-process.ts'
import { type Browser, openBrowser } from '#server/test/browser.ts'

/** What a server may take of memory, in megabytes, whatever its customers ask for. */
const MOST_MB = 512
const CUSTOMERS = 8
/** More lines than a short statement has; with ten thousand it takes as much memory, and half an hour. */
const SENDS = Number(process.env['ALDER_MEMORY_SENDS'] ?? 160)

let dir: string
let bank: BankProcess
let people: { browser: Browser; email: string }[]

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'alder-memory-'))
  bank = await startBank({ dir })
  people = await Promise.all(
    Array.from({ length: CUSTOMERS }, async () => {
      const browser = openBrowser(() => bank.url)
      await browser.post('/api/v1/session/visit')
      const { customer } = (await (await browser.get('/api/v1/me')).json()) as { customer: { email: string } }
      return { browser, email: customer.email }
    }),
  )
  for (const [index, { browser }] of people.entries()) {
    const { email = '' } = people[(index + 1) % CUSTOMERS] ?? {}
    for (let sent = 0; sent < SENDS; sent += 20) {
      const some = Array.from({ length: 20 }, (_, each) => (index * SENDS + sent + each) * 140)
      await Promise.all(some.map((seed) => send(browser, email, noteOf(seed))))
    }
  }
})
afterAll(async () => {
  await endAll()
  rmSync(dir, { recursive: true, force: true })
})

/** Chinese, Arabic and Kana in turn, from as many of their letters as there are. */
const noteOf = (seed: number): string =>
  Array.from({ length: 140 }, (_, index) => {
    const letter = (seed + index) * 7_919
    const scripts = [0x4e00 + (letter % 20_900), 0x621 + (letter % 26), 0x30a1 + (letter % 80)]
    return String.fromCodePoint(scripts[Math.floor(index / 12) % 3] ?? 0)
  }).join('')

async function send(browser: Browser, recipient: string, note: string): Promise<void> {
  const answer = await browser.post('/api/v1/transfers', { recipient, amountMinor: 1, asset: 'USD', note })
  expect(answer.status).toBe(200)
  await answer.text()
}

/** The most memory that the server has ever had, in megabytes. */
const peakMb = (): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${bank.child.pid}/status`, 'utf8'))?.[1]) / 1024

test.skipIf(!existsSync('/proc/self/status'))(
  'the server stays within its memory while it writes eight long statements, in each format',
  async () => {
    const before = peakMb()
    for (const format of ['camt', 'ofx', 'csv', 'pdf']) {
      const path = `/api/v1/statements/current/file?from=2026-08-28&to=2026-08-28&format=${format}`
      const sizes = await Promise.all(
        people.map(async ({ browser }) => {
          const answer = await browser.get(path)
          expect(answer.status).toBe(200)
          let size = 0
          for await (const piece of answer.body ?? []) size += piece.length
          return size
        }),
      )
      expect(Math.min(...sizes)).toBeGreaterThan(SENDS * 100)
      console.info(`${format}: ${Math.round(peakMb())} MB at most, ${Math.round(before)} before`)
    }
    expect(peakMb()).toBeLessThan(MOST_MB)
  },
)
