import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BankProcess, endAll, startBank } from '#server/faults/bank-process.ts'
import { createCustomer } from '#server/identity/customers/customers.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { testDeps, type TestDeps } from '#server/test/bank.ts'
import { type Browser, openBrowser } from '#server/test/browser.ts'
import { testContext } from '#server/test/context.ts'
import { signInCookie } from '#server/test/sign-in.ts'

/** The largest memory of a server under any requests, in megabytes. */
const MAX_MB = 512
const CUSTOMERS = 8
/** More lines than a short statement has. With ten thousand the test takes over four minutes (docs/measurements.md). */
const LINES = 320
const BOOKED_AT = new Date('2026-08-28T01:00:00Z')

let dir: string
let testBank: TestDeps
let bank: BankProcess
let browsers: Browser[]

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'alder-memory-'))
  testBank = await testDeps({ clock: 'database' })
  bank = await startBank({
    dir,
    env: { DATABASE_URL: testBank.database.ownerUrl, BANK_SECRET: testContext('secret') },
  })
  const people = Array.from({ length: CUSTOMERS }, (_, index) => index)
  browsers = await Promise.all(people.map(openStated))
})
afterAll(async () => {
  await endAll()
  await testBank.close()
  rmSync(dir, { recursive: true, force: true })
})

/** Opens a customer with a long statement. */
async function openStated(place: number): Promise<Browser> {
  const { deps } = testBank
  const customer = await createCustomer(deps, { fullName: 'Ann Lee', email: `ann.${place}@example.com` })
  const accounts = { debit: bankAccount('card_acquiring'), credit: customer.currentAccountId }
  const lines = Array.from({ length: LINES }, (_, index) => {
    const detail = {
      creditName: 'Shop',
      category: 'income',
      method: 'card',
      note: noteOf(place * LINES + index),
    } as const
    const legs = [{ kind: 'transfer', ...accounts, amountMinor: 1, detail } as const]
    return deps.ledger.post({ id: randomUUID(), kind: 'test', fingerprint: 'test', bookedAt: BOOKED_AT, legs })
  })
  await Promise.all(lines)
  const cookie = await signInCookie(deps, customer.id)
  return openBrowser(() => bank.url, undefined, cookie)
}

/**
 * The first letter of each script and the number of letters: Chinese, Arabic, Kana, Korean, Hindi, Thai, Hebrew, Burmese,
 * emoji.
 */
const SCRIPTS = [
  [0x4e00, 20_900],
  [0x621, 26],
  [0x30a1, 80],
  [0xac00, 11_172],
  [0x915, 37],
  [0xe01, 46],
  [0x5d0, 27],
  [0x1000, 64],
  [0x1f300, 720],
] as const

/** Returns a note with letters from all scripts in turn. */
const noteOf = (place: number): string =>
  Array.from({ length: 120 }, (_, index) => {
    const letter = (place * 120 + index) * 7_919
    const [first, count] = SCRIPTS[(place + Math.floor(index / 12)) % SCRIPTS.length] ?? [0, 1]
    return String.fromCodePoint(first + (letter % count))
  }).join('')

/** Returns the server's peak memory in megabytes. */
const peakMb = (): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${bank.child.pid}/status`, 'utf8'))?.[1]) / 1024

test.skipIf(!existsSync('/proc/self/status'))(
  'the server stays within its memory limit while it writes eight long statements, in each format',
  async () => {
    const peaks: string[] = []
    for (const format of ['camt', 'ofx', 'csv', 'pdf']) {
      const path = `/api/v1/statements/current/file?from=2026-08-28&to=2026-08-28&format=${format}`
      const sizes = await Promise.all(
        browsers.map(async (browser) => {
          const answer = await browser.get(path)
          expect(answer.status).toBe(200)
          let size = 0
          for await (const piece of answer.body ?? []) size += piece.length
          return size
        }),
      )
      expect(Math.min(...sizes)).toBeGreaterThan(LINES * 100)
      peaks.push(`${format} ${Math.round(peakMb())} MB`)
    }
    expect(peakMb(), peaks.join(', ')).toBeLessThan(MAX_MB)
  },
)
