import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MAX_CLAIMS_A_DAY } from '#server/payments/claims.ts'
import { policyFor } from '#server/bank/policy.ts'
import { testClock } from '#server/test/bank.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'

const HOUR_MS = 3_600_000
const START = new Date('2026-08-28T09:41:00.000Z')
// Real time stands still, so that sessions do not expire while business time moves.
const clock = { ...testClock(START), realNow: () => START }
let server: PeopleServer
let ann: TestPerson
let bob: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
  server.deps.policy.unverifiedLimits = policyFor({ mode: 'live' }).unverifiedLimits
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})
beforeEach(async () => {
  round += 1
  clock.set(START)
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
})

const approve = ({ customer }: TestPerson) =>
  server.deps.pool.query('UPDATE bank.customer SET verified_at = $2 WHERE id = $1', [customer.id, START])

const send = (amountMinor: number, key: string = randomUUID(), recipient: string = bob.customer.email) =>
  ann.browser.post('/api/v1/transfers', { recipient, amountMinor, asset: 'USD' }, { key })
const hold = (amountMinor: number, key?: string) => send(amountMinor, key, `stranger${round}@example.net`)
const topUp = (amountMinor: number, method = 'card', key: string = randomUUID()) =>
  ann.browser.post('/api/v1/top-ups', { amountMinor, asset: 'USD', method }, { key })
const uses = async () =>
  (
    await server.deps.pool.query('SELECT operation_id FROM bank.allowance_use WHERE customer_id = $1', [
      ann.customer.id,
    ])
  ).rows

describe('until the identity is verified', () => {
  test('money goes out up to 500 dollars a day, to customers and others together', async () => {
    await ann.fund(2000_00)
    expect((await send(300_00)).status).toBe(200)
    expect((await hold(150_00)).status).toBe(200)
    const before = await auditTestBooks(server)
    await expectRefusal(await send(50_01), 'limit_reached', 'amountMinor')
    await expectRefusal(await hold(50_01), 'limit_reached', 'amountMinor')
    expect(await auditTestBooks(server)).toEqual(before)
    expect((await send(50_00)).status).toBe(200)
    await expectRefusal(await send(1), 'limit_reached', 'amountMinor')
    expect((await ann.dashboard()).account).toMatchObject({ availableMinor: 1500_00, heldMinor: 150_00 })
  })

  test('money comes in up to 1,000 dollars a day, in any way', async () => {
    expect((await topUp(600_00)).status).toBe(200)
    expect((await topUp(300_00, 'bank')).status).toBe(200)
    const before = await auditTestBooks(server)
    for (const method of ['card', 'wallet', 'bank']) {
      await expectRefusal(await topUp(100_01, method), 'limit_reached', 'amountMinor')
    }
    expect(await auditTestBooks(server)).toEqual(before)
    expect((await topUp(100_00, 'wallet')).status).toBe(200)
    expect((await send(500_00)).status).toBe(200)
  })

  test('payments from customers have no limit', async () => {
    await ann.fund(5000_00)
    await bob.fund(5000_00)
    expect(await ann.balanceMinor()).toBe(5000_00)
  })

  test('the day is the last 24 hours of the bank’s date', async () => {
    await ann.fund(2000_00)
    await send(400_00)
    clock.set(new Date(START.getTime() + 23 * HOUR_MS))
    expect((await send(100_00)).status).toBe(200)
    await expectRefusal(await send(1), 'limit_reached', 'amountMinor')
    clock.set(new Date(START.getTime() + 24 * HOUR_MS - 1))
    await expectRefusal(await send(1), 'limit_reached', 'amountMinor')
    clock.set(new Date(START.getTime() + 24 * HOUR_MS))
    expect((await send(400_00)).status).toBe(200)
    await expectRefusal(await send(1), 'limit_reached', 'amountMinor')
    // Uses that no longer count are deleted.
    expect(await uses()).toHaveLength(2)
  })

  test('of many simultaneous sends, only those within the limit succeed', async () => {
    await ann.fund(5000_00)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, place) => (place % 2 ? send(60_00) : hold(60_00))))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(8)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      await expectRefusal(answer, 'limit_reached', 'amountMinor')
    }
    const { account } = await ann.dashboard()
    expect(account.availableMinor).toBe(5000_00 - 480_00)
    expect(await uses()).toHaveLength(8)
  })

  test('of many simultaneous top-ups, only those within the limit succeed', async () => {
    const methods = ['card', 'bank', 'wallet']
    const answers = await Promise.all(Array.from({ length: 20 }, (_, place) => topUp(90_00, methods[place % 3])))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(11)
    expect(await uses()).toHaveLength(11)
  })

  test('a repeated request counts once, and gets the same response after the limit is used up', async () => {
    await ann.fund(2000_00)
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(300_00, key)))
    const bodies = await Promise.all(answers.map((answer) => answer.text()))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(bodies).size).toBe(1)
    expect((await hold(200_00)).status).toBe(200)
    await expectRefusal(await send(1), 'limit_reached', 'amountMinor')
    expect(await (await send(300_00, key)).text()).toBe(bodies[0])
    clock.set(new Date(START.getTime() + 25 * HOUR_MS))
    expect(await (await send(300_00, key)).text()).toBe(bodies[0])
    expect((await send(500_00)).status).toBe(200)
  })

  test('a refused request does not use the limit, and its key can be used again later', async () => {
    await ann.fund(500_00)
    await expectRefusal(await send(501_00), 'insufficient_funds')
    await ann.fund(1000_00)
    const key = randomUUID()
    await expectRefusal(await send(500_01, key), 'limit_reached', 'amountMinor')
    expect(await uses()).toEqual([])
    await approve(ann)
    expect((await send(500_01, key)).status).toBe(200)
  })

  test('money that is taken back is returned to the limit', async () => {
    await ann.fund(2000_00)
    const { transaction } = await (await hold(500_00)).json()
    await expectRefusal(await send(1), 'limit_reached', 'amountMinor')
    expect((await ann.browser.post(`/api/v1/transfers/${transaction.id}/cancel`)).status).toBe(200)
    expect((await send(500_00)).status).toBe(200)
  })

  test('an approved customer has no limit from the next request on, and no counts are stored', async () => {
    await ann.fund(5000_00)
    await approve(ann)
    expect((await send(2000_00)).status).toBe(200)
    expect((await hold(2000_00)).status).toBe(200)
    expect((await topUp(5000_00)).status).toBe(200)
    expect((await topUp(5000_00, 'bank')).status).toBe(200)
    expect(await uses()).toEqual([])
  })
})

test('a bank without limits stores no counts', async () => {
  const sample = await peopleServer()
  const cleo = await sample.person({ fullName: 'Cleo Fox', email: 'cleo@example.com' })
  await cleo.fund(9000_00)
  const big = { recipient: 'nobody@example.net', amountMinor: 8000_00, asset: 'USD' }
  expect((await cleo.browser.post('/api/v1/transfers', big)).status).toBe(200)
  expect((await sample.deps.pool.query('SELECT 1 FROM bank.allowance_use')).rows).toEqual([])
  await sample.close()
})

describe('sends to people who are not customers', () => {
  const claims = async () =>
    (await server.deps.pool.query('SELECT 1 FROM bank.claim WHERE sender_id = $1', [ann.customer.id])).rows.length

  test('are limited to fifty per day, even in simultaneous requests, and completed ones get the same response', async () => {
    await ann.fund(1000_00)
    await approve(ann)
    const keys = Array.from({ length: MAX_CLAIMS_A_DAY + 10 }, () => randomUUID())
    const answers = await Promise.all(keys.map((key) => hold(1, key)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(MAX_CLAIMS_A_DAY)
    for (const answer of answers.filter(({ status }) => status !== 200))
      await expectRefusal(answer, 'too_many_requests')
    expect(await claims()).toBe(MAX_CLAIMS_A_DAY)
    expect((await ann.dashboard()).account.heldMinor).toBe(MAX_CLAIMS_A_DAY)
    const before = await auditTestBooks(server)
    await expectRefusal(await hold(1), 'too_many_requests')
    const paidKey = keys[answers.findIndex(({ status }) => status === 200)]
    expect((await hold(1, paidKey)).status).toBe(200)
    expect(await auditTestBooks(server)).toEqual(before)
    expect((await send(1)).status).toBe(200)
  })

  test('beyond the limit reveal nothing, because general refusals come first', async () => {
    await ann.fund(50)
    await Promise.all(Array.from({ length: MAX_CLAIMS_A_DAY }, () => hold(1)))
    await expectRefusal(await hold(1), 'insufficient_funds')
    await expectRefusal(await send(1), 'insufficient_funds')
    await ann.fund(1000_00)
    await expectRefusal(await hold(500_00), 'limit_reached', 'amountMinor')
    await expectRefusal(await send(500_00), 'limit_reached', 'amountMinor')
    await expectRefusal(await hold(1), 'too_many_requests')
  })

  test('that fail or are repeated do not count', async () => {
    for (let time = 0; time < MAX_CLAIMS_A_DAY; time += 1) await expectRefusal(await hold(1), 'insufficient_funds')
    await ann.fund(1000_00)
    const key = randomUUID()
    for (let time = 0; time < 10; time += 1) expect((await hold(1, key)).status).toBe(200)
    const answers = await Promise.all(Array.from({ length: MAX_CLAIMS_A_DAY - 1 }, () => hold(1)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    await expectRefusal(await hold(1), 'too_many_requests')
  })
})
