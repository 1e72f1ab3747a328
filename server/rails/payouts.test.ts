import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TopUpMethod } from '#contract/accounts.ts'
import { lateParts } from '#server/platform/lateness.ts'
import { closeCustomer } from '#server/profile/closure.ts'
import { askPayoutJob, askProviderJob } from '#server/rails/jobs.ts'
import { overduePayoutsJob } from '#server/rails/jobs.ts'
import { testClock } from '#server/test/bank.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'
import { openRail, type TestRail } from '#server/test/rail.ts'
import { sendWithProof } from '#server/test/step-up.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
const DAY_MS = 86_400_000
const PASSWORD = 'correct horse battery'
const clock = { ...testClock(START), realNow: () => START }
let rail: TestRail
let server: PeopleServer
let ann: TestPerson
let passwordHash: string
let round = 0

beforeAll(async () => {
  rail = await openRail(() => START)
  const methods: TopUpMethod[] = ['bank']
  const config = { mode: 'live' as const, rail: { url: rail.url, secret: rail.secret, methods, timeoutMs: 200 } }
  server = await peopleServer({ clock, config })
  passwordHash = await hashPassword(PASSWORD)
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
  await rail.close()
})
beforeEach(async () => {
  round += 1
  clock.set(START)
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com`, passwordHash })
})
afterEach(() => {
  rail.requests.length = 0
  rail.behave((outgoing) => void outgoing.writeHead(202).end())
})

const accountNumber = () => `4000${String(round).padStart(6, '0')}`
const details = () => ({ holderName: 'Ann Lee', routingNumber: '011000015', accountNumber: accountNumber() })

async function linked(): Promise<string> {
  const answer = await ann.browser.post('/api/v1/linked-accounts', { bankName: 'Harbor Bank', ...details() })
  expect(answer.status).toBe(200)
  return (await answer.json()).account.id
}

async function depositsOf(linkedAccountId: string): Promise<{ operation_id: string; amount_minor: number }[]> {
  const { rows } = await server.deps.pool.query(
    `SELECT operation_id, amount_minor FROM bank.payout WHERE linked_account_id = $1 AND purpose = 'verification'`,
    [linkedAccountId],
  )
  return rows
}

async function verified(): Promise<string> {
  const id = await linked()
  const [first, second] = await depositsOf(id)
  const amounts = { firstMinor: first?.amount_minor, secondMinor: second?.amount_minor }
  expect((await ann.browser.post(`/api/v1/linked-accounts/${id}/verification`, amounts)).status).toBe(200)
  return id
}

const payout = (id: string, key: string = randomUUID(), amountMinor = 60_00) =>
  sendWithProof(
    ann.browser,
    ['POST', `/api/v1/linked-accounts/${id}/payouts`],
    { password: PASSWORD },
    { body: { amountMinor, asset: 'USD' }, key },
  )

async function pending(): Promise<string> {
  await ann.fund(100_00)
  const answer = await payout(await verified())
  expect(answer.status).toBe(200)
  return (await answer.json()).transaction.id
}

const ask = (operationId: string) => askPayoutJob.work(server.deps, { operationId })
const eventOf = (id: string, change: object = {}) => ({
  eventId: randomUUID(),
  type: 'payout.settled',
  id,
  amountMinor: 60_00,
  asset: 'USD',
  ...change,
})
const tellEvent = (event: object) => rail.tell(`${server.url}/hooks/rails`, event)
const sendEvent = (id: string, change: object = {}) => tellEvent(eventOf(id, change))

async function state() {
  const { account } = await ann.dashboard()
  const [newest] = await ann.transactions()
  return { has: account.availableMinor, held: account.heldMinor, status: newest?.status }
}
const WAITING = { has: 40_00, held: 60_00, status: 'pending' }
const GONE = { has: 40_00, held: 0, status: 'completed' }

test('a payout requires a proof', async () => {
  await ann.fund(100_00)
  const id = await verified()
  const answer = await ann.browser.post(`/api/v1/linked-accounts/${id}/payouts`, { amountMinor: 60_00, asset: 'USD' })
  await expectRefusal(answer, 'step_up_required')
  expect(await state()).toMatchObject({ has: 100_00, held: 0 })
})

test('the provider gets a signed request for each deposit, with the full numbers', async () => {
  const deposits = await depositsOf(await linked())
  for (const { operation_id: id } of deposits) await ask(id)
  expect(rail.requests).toHaveLength(2)
  expect(rail.requests).toMatchObject(
    deposits.map(({ operation_id: id, amount_minor: amountMinor }) => ({
      id,
      key: id,
      amountMinor,
      signed: true,
      payerName: 'Alder',
      to: details(),
    })),
  )
  for (const { operation_id: id, amount_minor: amountMinor } of deposits)
    expect((await sendEvent(id, { amountMinor })).status).toBe(200)
  // The account numbers are deleted once the request cannot be repeated.
  const { rows } = await server.deps.pool.query(
    'SELECT count(*) AS kept FROM bank.payout WHERE status <> $1 AND destination IS NOT NULL',
    ['pending'],
  )
  expect(rows[0].kept).toBe(0)
})

test('a payout is requested under one key, and completes once when the provider confirms it', async () => {
  const id = await pending()
  await ask(id)
  await ask(id)
  expect(rail.requests[1]).toEqual(rail.requests[0])
  const request = { id, key: id, payerName: 'Ann Lee', amountMinor: 60_00, signed: true, to: details() }
  expect(rail.requests[0]).toMatchObject(request)
  expect(await state()).toEqual(WAITING)
  const event = eventOf(id)
  for (const answer of await Promise.all([tellEvent(event), tellEvent(event), sendEvent(id), sendEvent(id)]))
    expect(answer.status).toBe(200)
  expect(await state()).toEqual(GONE)
  await ask(id)
  expect(rail.requests).toHaveLength(2)
})

test('a payout is released if the provider refuses it or fails, and does not use the day’s limit', async () => {
  const id = await pending()
  rail.behave((outgoing) => void outgoing.writeHead(422).end())
  await ask(id)
  expect(await state()).toEqual({ has: 100_00, held: 0, status: 'returned' })
  const { rows } = await server.deps.pool.query('SELECT reason FROM bank.payout WHERE operation_id = $1', [id])
  expect(rows).toEqual([{ reason: 'refused' }])
  const [account] = (await (await ann.browser.get('/api/v1/linked-accounts')).json()).accounts
  for (let again = 0; again < 9; again += 1) {
    const answer = await payout(account.id)
    expect(answer.status).toBe(200)
    await sendEvent((await answer.json()).transaction.id, { type: 'payout.failed', reason: 'account_not_found' })
  }
  expect(await state()).toMatchObject({ has: 100_00, held: 0 })
})

test('a payout of unknown outcome is never given up, and the operator is notified', async () => {
  const name = 'payouts that did not leave in time'
  const id = await pending()
  rail.behave((outgoing) => void outgoing.writeHead(500).end())
  await expect(ask(id)).rejects.toThrow('500')
  clock.set(new Date(START.getTime() + 30 * DAY_MS))
  await overduePayoutsJob.work(server.deps)
  expect(await state()).toEqual(WAITING)
  expect(await lateParts(server.deps)).toContain(name)
  await sendEvent(id)
  expect(await state()).toEqual(GONE)
})

test('a repeated event with another reason is refused, and changes nothing', async () => {
  const event = eventOf(await pending(), { type: 'payout.failed', reason: 'name_mismatch' })
  expect((await tellEvent(event)).status).toBe(200)
  expect((await tellEvent(event)).status).toBe(200)
  const before = await state()
  await expectRefusal(await tellEvent({ ...event, reason: 'other' }), 'collection_mismatch', 'eventId')
  expect(await state()).toEqual(before)
})

test('a returned payout is credited once, for any order of events', async () => {
  const id = await pending()
  const returned = eventOf(id, { type: 'payout.returned', reason: 'account_closed' })
  await sendEvent(id)
  await Promise.all([tellEvent(returned), tellEvent(returned), sendEvent(id, { type: 'payout.returned' })])
  expect(await state()).toMatchObject({ has: 100_00, held: 0 })
  const answer = await payout((await (await ann.browser.get('/api/v1/linked-accounts')).json()).accounts[0].id)
  const second = (await answer.json()).transaction.id
  await sendEvent(second, { type: 'payout.returned' })
  await sendEvent(second)
  expect(await state()).toEqual({ has: 100_00, held: 0, status: 'returned' })
})

test('a payout that was paid after all is a loss of the bank, until it is returned', async () => {
  const losses = async () =>
    (await auditTestBooks(server)).trialBalance.find(({ code }) => code === 'return_losses')?.debitMinor ?? 0n
  const name = 'payouts that need the operator'
  const id = await pending()
  const before = await losses()
  await sendEvent(id, { type: 'payout.failed' })
  for (let again = 0; again < 3; again += 1) await sendEvent(id)
  expect((await losses()) - before).toBe(60_00n)
  expect(await state()).toMatchObject({ has: 100_00, held: 0 })
  clock.set(new Date(START.getTime() + DAY_MS))
  expect(await lateParts(server.deps)).toContain(name)
  for (let again = 0; again < 3; again += 1) await sendEvent(id, { type: 'payout.returned' })
  expect(await losses()).toBe(before)
  expect(await state()).toMatchObject({ has: 100_00, held: 0 })
  expect(await lateParts(server.deps)).not.toContain(name)
})

test('a returned payout is no loss, even if the confirmation arrives later', async () => {
  const id = await pending()
  const before = (await auditTestBooks(server)).trialBalance
  await sendEvent(id, { type: 'payout.failed' })
  await sendEvent(id, { type: 'payout.returned' })
  const balance = (await auditTestBooks(server)).trialBalance
  await sendEvent(id)
  expect((await auditTestBooks(server)).trialBalance).toEqual(balance)
  expect(balance.find(({ code }) => code === 'return_losses')).toEqual(
    before.find(({ code }) => code === 'return_losses'),
  )
  expect(await state()).toMatchObject({ has: 100_00, held: 0 })
})

test('a payout returned to a closed customer is kept for the operator', async () => {
  const unclaimed = async () =>
    (await auditTestBooks(server)).trialBalance.find(({ code }) => code === 'unclaimed_payments')?.creditMinor ?? 0n
  await ann.fund(60_00)
  const id = await verified()
  const { transaction } = await (await payout(id)).json()
  const caller = { device: { browser: 'Test browser', system: null }, networkZone: 'internet' } as const
  await expect(closeCustomer(server.deps, ann.customer, caller)).rejects.toMatchObject({ code: 'balance_not_zero' })
  await sendEvent(transaction.id)
  await closeCustomer(server.deps, ann.customer, caller)
  const { rows } = await server.deps.pool.query(
    'SELECT status, numbers_sealed FROM bank.linked_account WHERE id = $1',
    [id],
  )
  expect(rows).toEqual([{ status: 'removed', numbers_sealed: null }])
  const before = await unclaimed()
  for (let again = 0; again < 3; again += 1) await sendEvent(transaction.id, { type: 'payout.returned' })
  expect((await unclaimed()) - before).toBe(60_00n)
  clock.set(new Date(START.getTime() + DAY_MS))
  expect(await lateParts(server.deps)).toContain('payouts that need the operator')
})

test('an event that is unknown, different or badly signed is refused', async () => {
  const id = await pending()
  const before = await auditTestBooks(server)
  expect((await sendEvent(randomUUID())).status).toBe(404)
  expect((await sendEvent(id, { amountMinor: 60_01 })).status).toBe(422)
  expect((await sendEvent(id, { type: 'collection.confirmed' })).status).toBe(404)
  expect((await sendEvent(id, { reason: 'because' })).status).toBe(400)
  const event = eventOf(id)
  expect((await rail.tell(`${server.url}/hooks/rails`, event, { secret: 'another' })).status).toBe(401)
  expect(await auditTestBooks(server)).toEqual(before)
  await tellEvent(event)
  expect((await tellEvent({ ...event, type: 'payout.returned' })).status).toBe(422)
  expect(await state()).toEqual(GONE)
})

test('money from a linked account is requested with its numbers', async () => {
  const id = await verified()
  const answer = await ann.browser.post(`/api/v1/linked-accounts/${id}/top-ups`, { amountMinor: 60_00, asset: 'USD' })
  const { transaction } = await answer.json()
  await askProviderJob.work(server.deps, { operationId: transaction.id })
  expect(rail.requests.at(-1)).toMatchObject({ id: transaction.id, method: 'bank', from: details() })
  await sendEvent(transaction.id, { type: 'collection.confirmed' })
  expect(await state()).toMatchObject({ has: 60_00, status: 'completed' })
})

test('a bank without a rail cannot link accounts', async () => {
  const bare = await peopleServer({ clock, config: { mode: 'live' } })
  const bob = await bare.person({ fullName: 'Bob May', email: 'bob@example.com' })
  expect(await (await bob.browser.get('/api/v1/linked-accounts')).json()).toEqual({ accounts: [], payouts: null })
  await expectRefusal(
    await bob.browser.post('/api/v1/linked-accounts', { bankName: 'Harbor Bank', ...details() }),
    'method_unavailable',
  )
  await auditTestBooks(bare)
  await bare.close()
})
