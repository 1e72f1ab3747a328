import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createCustomer } from '#server/identity/customers/customers.ts'
import { hashPassword, verifyPassword } from '#server/identity/passwords/passwords.ts'
import type { Browser } from '#server/test/browser.ts'
import { testServer, type TestServer } from '#server/test/server.ts'
import { signInCookie } from '#server/test/sign-in.ts'

vi.mock('#server/identity/passwords/passwords.ts', { spy: true })

const PAIRS = 200
type Who = 'known' | 'fresh'

// All as long as each other, so that answers which repeat them are too.
const numberOf = (index: number) => String(index).padStart(3, '0')
const email = (who: Who, index: number) => `${who}.${numberOf(index)}@example.com`
const phone = (who: Who, index: number) => `+4479110${who === 'known' ? '00' : '11'}${numberOf(index)}`

const PASSWORD = 'garden-lamp-42'
let server: TestServer
let address = 0

beforeAll(async () => {
  // Everybody from an address of their own, for those of one would be told to slow down.
  server = await testServer({ config: { mode: 'live', trustProxy: true } })
  const passwordHash = await hashPassword(PASSWORD)
  await openKnown(server, passwordHash)
})

async function openKnown({ deps }: TestServer, passwordHash: string): Promise<void> {
  const open = (index: number) => {
    const [knownEmail, knownPhone] = [email('known', index), phone('known', index)]
    return createCustomer(deps, { fullName: 'Known Customer', email: knownEmail, phone: knownPhone, passwordHash })
  }
  await Promise.all(Array.from({ length: PAIRS }, (_, index) => open(index)))
}

afterAll(() => server.close())

type Seen = { status: number; headers: string[]; body: string; ms: number }

/**
 * Asks with `known` of one of the customers and of nobody in turn, and notes all that an asker can see. One after the
 * other, although most of the time is the hashing of passwords: at the same time, what the server does for the one on
 * its only thread delays the other just as much, and a difference of 3 ms went unseen.
 */
async function askBoth(
  path: string,
  request: (who: Who, index: number) => object,
  { pairs = PAIRS, open = () => server.browser() }: { pairs?: number; open?: () => Browser } = {},
) {
  const seen: Record<Who, Seen[]> = { known: [], fresh: [] }
  for (let index = 0; index < pairs; index += 1) {
    // Which comes first changes, so that neither is always the one after the other.
    for (const who of index % 2 === 0 ? (['known', 'fresh'] as const) : (['fresh', 'known'] as const)) {
      address += 1
      const headers = { 'x-forwarded-for': `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}` }
      const browser = open()
      const begun = performance.now()
      const answer = await browser.post(path, request(who, index), { headers })
      const body = await answer.text()
      const ms = performance.now() - begun
      seen[who].push({ status: answer.status, headers: shownHeaders(answer), body, ms })
    }
  }
  return seen
}

/** Names and values, but for what is another each time anyway: of that, only its length. */
function shownHeaders(answer: Response): string[] {
  return [...answer.headers]
    .filter(([name]) => name !== 'date')
    .map(([name, value]) =>
      name === 'set-cookie' ? `${name}: ${value.replace(/=(?:[\w-]{43}|[\w-]{65});/, '=token;')}` : `${name}: ${value}`,
    )
    .map((line) => line.replace(/^(x-request-id|step-up): .*/, '$1'))
}

const shape = (body: string): unknown => body && JSON.parse(body.replaceAll(/(known|fresh)\.\d+/g, 'somebody'))

function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0
}

const RESAMPLES = 400

/**
 * The median of the differences within pairs, as an interval that a thousand other samples of the same people would
 * mostly fall in (a bootstrap). It holds zero where the difference is noise, and the busier the machine is, the wider it
 * is; but the two of a pair, asked within a moment, find it equally busy.
 */
function medianDifference(differences: number[]): [low: number, high: number] {
  const again = () => differences.map(() => differences[Math.floor(Math.random() * differences.length)] ?? 0)
  const medians = Array.from({ length: RESAMPLES }, () => quantile(again(), 0.5))
  return [quantile(medians, 0.0005), quantile(medians, 0.9995)]
}

/** What a clock on the other side of any network could tell, in milliseconds. */
const TELLING_MS = 1.5

const areFarApart = ([low, high]: [low: number, high: number]) => low > TELLING_MS || high < -TELLING_MS

/** In what an asker sees a difference between customers and others: none of it should tell them apart. */
function whatTells({ known, fresh }: Record<Who, Seen[]>, status: number): string[] {
  const [first] = fresh
  if (!first) throw new Error('Nobody asked')
  const all = [...known, ...fresh]
  const same = (pick: (seen: Seen) => unknown) => all.every((seen) => isDeepStrictEqual(pick(seen), pick(first)))
  const times = medianDifference(known.map(({ ms }, index) => ms - (fresh[index]?.ms ?? 0)))
  return [
    ...(all.every((seen) => seen.status === status) ? [] : ['status']),
    ...(same(({ headers }) => headers) ? [] : ['headers']),
    ...(same(({ body }) => shape(body)) ? [] : ['body']),
    ...(areFarApart(times) ? ['time'] : []),
  ]
}

const wrong = (who: Who, index: number) => ({ email: email(who, index), password: 'wrong' })

test('signing in with a wrong password does not reveal whose email is known', { timeout: 300_000 }, async () => {
  const seen = await askBoth('/api/v1/session', wrong)
  expect(whatTells(seen, 422)).toEqual([])
})

test('nor does signing up', { timeout: 300_000 }, async () => {
  const details = (who: Who, index: number) => ({
    fullName: 'Nora New',
    email: email(who, index),
    phone: phone(who, index),
    password: PASSWORD,
  })
  const seen = await askBoth('/api/v1/customers', details)
  expect(whatTells(seen, 200)).toEqual([])
})

test('nor does having forgotten a password', { timeout: 300_000 }, async () => {
  const seen = await askBoth('/api/v1/password-resets', (who, index) => ({ email: email(who, index) }))
  expect(whatTells(seen, 202)).toEqual([])
})

// What a send that is done says is docs/decisions/0007's: money has left by then. One that is refused says nothing.
test('nor does sending money, by a fresh proof or by an empty account', { timeout: 300_000 }, async () => {
  const sample = await testServer({ config: { mode: 'sample', trustProxy: true } })
  await openKnown(sample, '')
  for (const [deps, status] of [
    [server, 403],
    [sample, 422],
  ] as const) {
    const asker = await createCustomer(deps.deps, { fullName: 'Ann Asker', email: 'asker@example.com' })
    const cookie = await signInCookie(deps.deps, asker.id)
    const send = (who: Who, index: number) => ({ recipient: email(who, index), amountMinor: 1_00, asset: 'USD' })
    const seen = await askBoth('/api/v1/transfers', send, { open: () => deps.browser(cookie) })
    expect(whatTells(seen, status)).toEqual([])
  }
  await sample.close()
})

test('the timing shows it where no password is compared for an unknown email', { timeout: 300_000 }, async () => {
  await server.deps.pool.query('DELETE FROM bank.rate_limit')
  const real = vi.mocked(verifyPassword).getMockImplementation()
  const { verifyPassword: compare } = await vi.importActual<typeof import('#server/identity/passwords/passwords.ts')>(
    '#server/identity/passwords/passwords.ts',
  )
  vi.mocked(verifyPassword).mockImplementation(async (password, hash) => hash !== null && compare(password, hash))
  const seen = await askBoth('/api/v1/session', wrong, { pairs: 20 })
  expect(whatTells(seen, 422)).toEqual(['time'])
  if (real) vi.mocked(verifyPassword).mockImplementation(real)
})
