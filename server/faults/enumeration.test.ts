import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createCustomer } from '#server/identity/customers/customers.ts'
import { hashPassword, verifyPassword } from '#server/identity/passwords/passwords.ts'
import type { Browser } from '#server/test/browser.ts'
import { testServer, type TestServer } from '#server/test/server.ts'
import { signInCookie } from '#server/test/sign-in.ts'

vi.mock('#server/identity/passwords/passwords.ts', { spy: true })

/**
 * Hashing takes a sixteenth of its time here. In full it is most of an answer, and no two take equally long: what else the
 * bank does for one and not for the other would have to be larger to be seen.
 */
vi.mock('node:crypto', async (importActual) => {
  const crypto = await importActual<typeof import('node:crypto')>()
  const argon2: typeof crypto.argon2 = (algorithm, given, callback) =>
    crypto.argon2(algorithm, { ...given, memory: given.memory / 8, passes: given.passes / 2 }, callback)
  return { ...crypto, argon2 }
})

const PAIRS = 200
const LOOK_EVERY = 20
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
 * Asks with `known` of one of the customers and of nobody in turn, and notes all that an asker can see, until more
 * pairs would say no more of their times. One after the other: at the same time, what the server does for the one on its
 * only thread delays the other just as much, and a difference of 3 ms went unseen.
 */
async function askBoth(
  path: string,
  request: (who: Who, index: number) => object,
  open: () => Browser = () => server.browser(),
) {
  const seen: Record<Who, Seen[]> = { known: [], fresh: [] }
  for (let index = 0; index < PAIRS; index += 1) {
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
    if ((index + 1) % LOOK_EVERY === 0 && isClear(medianDifference(differencesOf(seen)))) break
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

const differencesOf = ({ known, fresh }: Record<Who, Seen[]>) =>
  known.map(({ ms }, index) => ms - (fresh[index]?.ms ?? 0))

type Interval = [low: number, high: number]

/** Of a normal distribution, within which 999 of 1,000 lie. */
const DEVIATIONS = 3.29

/**
 * Where the median of the differences within pairs is, with a confidence of 99.9%: between two of them, for half of all
 * lie below it. It holds zero where the difference is noise, and the busier the machine is, the wider it is; but the two of
 * a pair, asked within a moment, find it equally busy.
 */
function medianDifference(differences: number[]): Interval {
  const sorted = differences.toSorted((a, b) => a - b)
  const [half, reach] = [sorted.length / 2, (DEVIATIONS * Math.sqrt(sorted.length)) / 2]
  return [sorted[Math.floor(half - reach)] ?? -Infinity, sorted[Math.ceil(half + reach)] ?? Infinity]
}

/** What a clock on the other side of any network could tell, in milliseconds. */
const TELLING_MS = 1.5

const areFarApart = ([low, high]: Interval) => low > TELLING_MS || high < -TELLING_MS
const areClose = ([low, high]: Interval) => low > -TELLING_MS && high < TELLING_MS
const isClear = (interval: Interval) => areClose(interval) || areFarApart(interval)

/** In what an asker sees a difference between customers and others: none of it should tell them apart. */
function whatTells({ known, fresh }: Record<Who, Seen[]>, status: number): string[] {
  const [first] = fresh
  if (!first) throw new Error('Nobody asked')
  const all = [...known, ...fresh]
  const same = (pick: (seen: Seen) => unknown) => all.every((seen) => isDeepStrictEqual(pick(seen), pick(first)))
  const times = medianDifference(differencesOf({ known, fresh }))
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
    const seen = await askBoth('/api/v1/transfers', send, () => deps.browser(cookie))
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
  const seen = await askBoth('/api/v1/session', wrong)
  expect(whatTells(seen, 422)).toEqual(['time'])
  if (real) vi.mocked(verifyPassword).mockImplementation(real)
})
