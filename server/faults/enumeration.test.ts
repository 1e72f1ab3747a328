import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createCustomer } from '#server/identity/customers/customers.ts'
import { hashPassword, verifyPassword } from '#server/identity/passwords/passwords.ts'
import type { Browser } from '#server/test/browser.ts'
import { testServer, type TestServer } from '#server/test/server.ts'
import { signInCookie } from '#server/test/sign-in.ts'

vi.mock('#server/identity/passwords/passwords.ts', { spy: true })

/**
 * Hashing takes a sixteenth of its normal time here, unless a test sets the full cost. At full cost it dominates the response
 * time and varies, which would hide smaller differences between known and unknown emails.
 */
const hashing = vi.hoisted(() => ({ atFullCost: false }))
vi.mock('node:crypto', async (importActual) => {
  const crypto = await importActual<typeof import('node:crypto')>()
  const argon2: typeof crypto.argon2 = (algorithm, parameters, callback) => {
    const { memory, passes } = parameters
    const cost = hashing.atFullCost ? { memory, passes } : { memory: memory / 8, passes: passes / 2 }
    crypto.argon2(algorithm, { ...parameters, ...cost }, callback)
  }
  return { ...crypto, argon2 }
})

const PAIRS = 200
const LOOK_EVERY = 20
type ContactKind = 'known' | 'fresh'

// All values have the same length, so that responses that repeat them have the same length too.
const numberOf = (index: number) => String(index).padStart(3, '0')
const email = (kind: ContactKind, index: number) => `${kind}.${numberOf(index)}@example.com`
const phone = (kind: ContactKind, index: number) => `+4479110${kind === 'known' ? '00' : '11'}${numberOf(index)}`

const PASSWORD = 'garden-lamp-42'
let server: TestServer
let address = 0

beforeAll(async () => {
  // Each request comes from a different IP address, because one address would reach its rate limit.
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

type ObservedResponse = { status: number; headers: string[]; body: string; ms: number }

/**
 * Sends requests about a customer and about an unknown person in turn, and records everything that the sender can observe. It
 * stops once more pairs would no longer change the result. The requests run one after the other: with simultaneous requests,
 * the server's single thread delays both equally, and a difference of 3 ms was not detected.
 */
async function askBoth(
  path: string,
  request: (who: ContactKind, index: number) => object,
  open: () => Browser = () => server.browser(),
) {
  const responses: Record<ContactKind, ObservedResponse[]> = { known: [], fresh: [] }
  for (let index = 0; index < PAIRS; index += 1) {
    // The order alternates, so that neither kind is always second.
    for (const kind of index % 2 === 0 ? (['known', 'fresh'] as const) : (['fresh', 'known'] as const)) {
      address += 1
      const headers = { 'x-forwarded-for': `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}` }
      const browser = open()
      const startedAt = performance.now()
      const answer = await browser.post(path, request(kind, index), { headers })
      const body = await answer.text()
      const ms = performance.now() - startedAt
      responses[kind].push({ status: answer.status, headers: comparableHeaders(answer), body, ms })
    }
    if ((index + 1) % LOOK_EVERY === 0 && isClear(medianDifference(differencesOf(responses)))) break
  }
  return responses
}

/** Returns header names and values. For values that differ in every response, it returns only the length. */
function comparableHeaders(answer: Response): string[] {
  return [...answer.headers]
    .filter(([name]) => name !== 'date')
    .map(([name, value]) =>
      name === 'set-cookie' ? `${name}: ${value.replace(/=(?:[\w-]{43}|[\w-]{65});/, '=token;')}` : `${name}: ${value}`,
    )
    .map((line) => line.replace(/^(x-request-id|step-up): .*/, '$1'))
}

const shape = (body: string): unknown => body && JSON.parse(body.replaceAll(/(known|fresh)\.\d+/g, 'somebody'))

const differencesOf = ({ known, fresh }: Record<ContactKind, ObservedResponse[]>) =>
  known.map(({ ms }, index) => ms - (fresh[index]?.ms ?? 0))

type Interval = [low: number, high: number]

/** The number of standard deviations that contain 99.9% of a normal distribution. */
const DEVIATIONS = 3.29

/**
 * Returns a 99.9% confidence interval for the median difference within pairs, from order statistics. The interval contains zero
 * if the difference is noise. A busy machine widens it, but both requests of a pair run within a moment and are equally
 * affected.
 */
function medianDifference(differences: number[]): Interval {
  const sorted = differences.toSorted((a, b) => a - b)
  const [half, reach] = [sorted.length / 2, (DEVIATIONS * Math.sqrt(sorted.length)) / 2]
  return [sorted[Math.floor(half - reach)] ?? -Infinity, sorted[Math.ceil(half + reach)] ?? Infinity]
}

/** The smallest difference that a clock across a network could measure, in milliseconds. */
const TELLING_MS = 1.5

const areFarApart = ([low, high]: Interval) => low > TELLING_MS || high < -TELLING_MS
const areClose = ([low, high]: Interval) => low > -TELLING_MS && high < TELLING_MS
const isClear = (interval: Interval) => areClose(interval) || areFarApart(interval)

/** Returns the observations that differ between customers and unknown people. The list should be empty. */
function whatTells({ known, fresh }: Record<ContactKind, ObservedResponse[]>, status: number): string[] {
  const [firstResponse] = fresh
  if (!firstResponse) throw new Error('No request was sent for a new address')
  const responses = [...known, ...fresh]
  const isSameFor = (pick: (seen: ObservedResponse) => unknown) =>
    responses.every((response) => isDeepStrictEqual(pick(response), pick(firstResponse)))
  const times = medianDifference(differencesOf({ known, fresh }))
  return [
    ...(responses.every((response) => response.status === status) ? [] : ['status']),
    ...(isSameFor(({ headers }) => headers) ? [] : ['headers']),
    ...(isSameFor(({ body }) => shape(body)) ? [] : ['body']),
    ...(areFarApart(times) ? ['time'] : []),
  ]
}

const wrongSignIn = (kind: ContactKind, index: number) => ({ email: email(kind, index), password: 'wrong' })

test(
  'signing in with a wrong password does not reveal which emails belong to customers',
  { timeout: 300_000 },
  async () => {
    const responses = await askBoth('/api/v1/session', wrongSignIn)
    expect(whatTells(responses, 422)).toEqual([])
  },
)

test('signing up does not reveal it either', { timeout: 300_000 }, async () => {
  const details = (kind: ContactKind, index: number) => ({
    fullName: 'Nora New',
    email: email(kind, index),
    phone: phone(kind, index),
    password: PASSWORD,
  })
  const responses = await askBoth('/api/v1/customers', details)
  expect(whatTells(responses, 200)).toEqual([])
})

test('a password reset does not reveal it either', { timeout: 300_000 }, async () => {
  const responses = await askBoth('/api/v1/password-resets', (kind, index) => ({ email: email(kind, index) }))
  expect(whatTells(responses, 202)).toEqual([])
})

// docs/decisions/0007 explains what a completed payment reveals: money has left by then. A refused payment reveals nothing.
test('sending money does not reveal it, with a fresh proof or an empty account', { timeout: 300_000 }, async () => {
  const sampleServer = await testServer({ config: { mode: 'sample', trustProxy: true } })
  await openKnown(sampleServer, '')
  for (const [testedServer, status] of [
    [server, 403],
    [sampleServer, 422],
  ] as const) {
    const requester = await createCustomer(testedServer.deps, { fullName: 'Ann Asker', email: 'asker@example.com' })
    const cookie = await signInCookie(testedServer.deps, requester.id)
    const send = (kind: ContactKind, index: number) => ({
      recipient: email(kind, index),
      amountMinor: 1_00,
      asset: 'USD',
    })
    const responses = await askBoth('/api/v1/transfers', send, () => testedServer.browser(cookie))
    expect(whatTells(responses, status)).toEqual([])
  }
  await sampleServer.close()
})

test(
  'the test detects the timing of a server that compares no password for an unknown email',
  { timeout: 300_000 },
  async () => {
    await server.deps.pool.query('DELETE FROM bank.rate_limit')
    const realVerify = vi.mocked(verifyPassword).getMockImplementation()
    const { verifyPassword: compare } = await vi.importActual<typeof import('#server/identity/passwords/passwords.ts')>(
      '#server/identity/passwords/passwords.ts',
    )
    vi.mocked(verifyPassword).mockImplementation(async (password, hash) => hash !== null && compare(password, hash))
    // At a sixteenth of the cost, a fast machine compares a password in less time than a network lets anybody measure.
    hashing.atFullCost = true
    const responses = await askBoth('/api/v1/session', wrongSignIn)
    hashing.atFullCost = false
    expect(whatTells(responses, 422)).toEqual(['time'])
    if (realVerify) vi.mocked(verifyPassword).mockImplementation(realVerify)
  },
)
