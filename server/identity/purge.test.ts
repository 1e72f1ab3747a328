import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCustomer } from '#server/identity/customers/customers.ts'
import { purgeExpired } from '#server/identity/purge.ts'
import { issueOneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'
import { testClock, testDeps, type TestDeps } from '#server/test/bank.ts'
import { signInCookie } from '#server/test/sign-in.ts'

const TABLES = ['session', 'one_time_token', 'phone_code', 'email_change', 'visitor', 'rate_limit'] as const
const DAY_MS = 24 * 60 * 60_000
const clock = testClock()
let testBank: TestDeps
let customerId: string

beforeAll(async () => {
  testBank = await testDeps({ clock })
  customerId = (await createCustomer(testBank.deps, { fullName: 'Ann Lee', email: 'ann@example.com' })).id
})
afterAll(() => testBank.close())

const query = async (text: string, values: unknown[] = []) => (await testBank.deps.pool.query(text, values)).rows
const counts = async () =>
  Promise.all(TABLES.map(async (table) => Number((await query(`SELECT count(*) AS rows FROM bank.${table}`))[0].rows)))

/** Creates one row of each kind, with its full lifetime. */
async function oneOfEach(): Promise<void> {
  const { deps } = testBank
  await signInCookie(deps, customerId)
  await issueOneTimeToken(deps, deps.db, 'passkey_sign_in', { customerId: null, content: {} })
  const soon = new Date(clock.realNow().getTime() + 60_000)
  await query(`INSERT INTO bank.phone_code VALUES ($1, '+447700900123', repeat('x', 43), 0, $2)`, [customerId, soon])
  await query(`INSERT INTO bank.email_change VALUES ($1, gen_random_uuid(), 'new@example.com', false, false, $2)`, [
    customerId,
    soon,
  ])
  await query(`INSERT INTO bank.visitor VALUES (repeat('x', 43), $1, $2)`, [customerId, clock.realNow()])
  await query(`INSERT INTO bank.rate_limit VALUES ('limit:somebody', 1, $1)`, [soon.getTime()])
}

test('expired rows are removed, and no others', async () => {
  await oneOfEach()
  expect(await purgeExpired(testBank.deps)).toBe(0)
  expect(await counts()).toEqual([1, 1, 1, 1, 1, 1])
  clock.set(new Date(clock.realNow().getTime() + DAY_MS))
  expect(await purgeExpired(testBank.deps)).toBe(5)
  expect(await counts()).toEqual([0, 0, 0, 0, 1, 0])
  // Browsers keep a visitor's cookie for 400 days at most.
  clock.set(new Date(clock.realNow().getTime() + 399 * DAY_MS))
  expect(await purgeExpired(testBank.deps)).toBe(1)
})

test('many rows are removed in steps, and locked rows stay for the next run', async () => {
  await query(`INSERT INTO bank.rate_limit SELECT 'limit:' || n, 1, 1 FROM generate_series(1, 5000) n`)
  const holder = await testBank.deps.pool.connect()
  await holder.query('BEGIN')
  await holder.query(`SELECT 1 FROM bank.rate_limit WHERE key = 'limit:7' FOR UPDATE`)
  expect(await purgeExpired(testBank.deps)).toBe(4_999)
  await holder.query('ROLLBACK')
  holder.release()
  expect(await purgeExpired(testBank.deps)).toBe(1)
})
