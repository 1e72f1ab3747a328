import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Transaction, TransactionDetail } from '#contract/accounts.ts'
import type { Claim } from '#contract/payments.ts'
import { lineNamed } from '#contract/line-texts.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { expireClaimJob, overdueClaims } from '#server/payments/claims.ts'
import { testClock } from '#server/test/bank.ts'
import { auditTestBooks, expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'

const DAY_MS = 86_400_000
const START = new Date('2026-08-28T09:41:00.000Z')
// Real time stands still, so that sessions do not expire while business days pass.
const clock = { ...testClock(START), realNow: () => START }
let server: PeopleServer
let sender: TestPerson
let claimant: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})
beforeEach(async () => {
  clock.set(START)
  round += 1
  sender = await server.person({ fullName: 'Sara Sender', email: `sender${round}@example.com` })
  claimant = await server.person({ fullName: 'Clara Claimant', email: `claimant${round}@example.com` })
  await sender.fund(100_00)
})

type Held = { transaction: Transaction; token: string }

/** Sends 40 dollars to a person who is not a customer. */
async function hold(recipient = `stranger${round}@example.net`): Promise<Held> {
  const body = { recipient, amountMinor: 40_00, asset: 'USD', note: 'For you' }
  const response = await sender.browser.post('/api/v1/transfers', body)
  expect(response.status).toBe(200)
  const { transaction } = (await response.json()) as { transaction: Transaction }
  const detail = await sender.browser.get(`/api/v1/transactions/${transaction.id}`)
  const { claim } = (await detail.json()) as TransactionDetail
  return { transaction, token: new URL(claim?.url ?? '').searchParams.get('token') ?? '' }
}

const take = (person: TestPerson, token: string, key: string = randomUUID()) =>
  person.browser.post(`/api/v1/claims/${token}`, undefined, { key })
const cancel = (person: TestPerson, id: string, key: string = randomUUID()) =>
  person.browser.post(`/api/v1/transfers/${id}/cancel`, undefined, { key })

async function look(token: string): Promise<Claim> {
  return (await (await server.browser().get(`/api/v1/claims/${token}`)).json()) as Claim
}
const lineOf = async (person: TestPerson, { id }: Transaction) =>
  (await (await person.browser.get(`/api/v1/transactions/${id}`)).json()) as TransactionDetail

test('a refused send to a person who is not a customer stays refused with its key, for any later deposits', async () => {
  const body = { recipient: `nobody${round}@example.net`, amountMinor: 500_00, asset: 'USD' }
  const key = randomUUID()
  const first = await sender.browser.post('/api/v1/transfers', body, { key })
  expect(first.status).toBe(422)
  await sender.fund(900_00)
  const again = await sender.browser.post('/api/v1/transfers', body, { key })
  expect(again.status).toBe(422)
  expect(await again.json()).toEqual(await first.json())
  expect((await sender.browser.post('/api/v1/transfers', body, { key: randomUUID() })).status).toBe(200)
})

describe('a claim link', () => {
  test('shows everyone who has it the waiting amount and its expiry', async () => {
    const { token } = await hold()
    expect(await look(token)).toEqual({
      senderName: 'Sara Sender',
      amountMinor: 40_00,
      asset: 'USD',
      note: 'For you',
      status: 'open',
      expiresAt: '2026-09-04T09:41:00.000Z',
      own: false,
    })
  })

  test('shows its sender that it is their own', async () => {
    const { token } = await hold()
    const answer = await sender.browser.get(`/api/v1/claims/${token}`)
    expect((await answer.json()).own).toBe(true)
  })

  test('that the bank did not create is not valid, in any form', async () => {
    const { token } = await hold()
    const changed = (token.startsWith('A') ? 'B' : 'A') + token.slice(1)
    for (const bad of [
      'x',
      token.slice(0, -1),
      `${token}A`,
      changed,
      token.slice(0, 63) + (token.endsWith('A') ? 'B' : 'A'),
      'A'.repeat(64),
      '%00',
    ]) {
      await expectRefusal(await server.browser().get(`/api/v1/claims/${bad}`), 'claim_not_found')
      await expectRefusal(await take(claimant, bad), 'claim_not_found')
    }
  })

  test('pays the signed-in customer who opens it, and both lists show it under the same names', async () => {
    const { transaction, token } = await hold()
    const answer = await take(claimant, token)
    expect(answer.status).toBe(200)
    const claimed = ((await answer.json()) as { transaction: Transaction }).transaction
    expect(claimed).toMatchObject({
      name: lineNamed('Sara Sender'),
      amountMinor: 40_00,
      status: 'completed',
      note: 'For you',
      balanceAfterMinor: 40_00,
    })
    expect(await claimant.transactions()).toEqual([claimed])
    const senderLine = await lineOf(sender, transaction)
    expect(senderLine).toMatchObject({
      id: transaction.id,
      transactionId: transaction.transactionId,
      reference: transaction.reference,
    })
    expect(senderLine).toMatchObject({
      status: 'completed',
      amountMinor: -40_00,
      name: lineNamed(`stranger${round}@example.net`),
      claim: null,
      balanceAfterMinor: 60_00,
    })
    expect((await sender.dashboard()).account).toMatchObject({ availableMinor: 60_00, heldMinor: 0 })
    expect((await sender.dashboard()).unreadNotifications).toBe(1)
    expect((await look(token)).status).toBe('claimed')
  })

  test('cannot be used by the sender or without signing in', async () => {
    const { token } = await hold()
    await expectRefusal(await take(sender, token), 'claim_is_own')
    await expectRefusal(await server.browser().post(`/api/v1/claims/${token}`), 'sign_in_required')
    expect((await look(token)).status).toBe('open')
  })

  test('returns the same response to a repeated request, and refuses another one', async () => {
    const { token } = await hold()
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 8 }, async () => (await take(claimant, token, key)).json()))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    await expectRefusal(await take(claimant, token), 'claim_not_open')
    expect(await claimant.balanceMinor()).toBe(40_00)
  })
})

describe('taking money back', () => {
  test('returns it whole, and the list shows it', async () => {
    const { transaction, token } = await hold()
    const answer = await cancel(sender, transaction.id)
    expect(answer.status).toBe(200)
    const returned = ((await answer.json()) as { transaction: Transaction }).transaction
    expect(returned).toMatchObject({
      id: transaction.id,
      transactionId: transaction.transactionId,
      status: 'returned',
      amountMinor: -40_00,
    })
    expect(await lineOf(sender, transaction)).toMatchObject({
      status: 'returned',
      claim: null,
      balanceAfterMinor: null,
    })
    expect((await sender.dashboard()).account).toMatchObject({ availableMinor: 100_00, heldMinor: 0 })
    expect((await look(token)).status).toBe('returned')
    await expectRefusal(await take(claimant, token), 'claim_not_open')
    await expectRefusal(await cancel(sender, transaction.id), 'claim_not_open')
  })

  test('returns the same response to a repeated request', async () => {
    const { transaction } = await hold()
    const key = randomUUID()
    const first = await (await cancel(sender, transaction.id, key)).text()
    expect(await (await cancel(sender, transaction.id, key)).text()).toBe(first)
  })

  test('is possible for the sender only, and for waiting payments only', async () => {
    const { transaction } = await hold()
    const response = await sender.browser.post('/api/v1/transfers', {
      recipient: claimant.customer.email,
      amountMinor: 1,
      asset: 'USD',
    })
    const { transaction: completedTransfer } = (await response.json()) as { transaction: Transaction }
    await expectRefusal(await cancel(claimant, transaction.id), 'transaction_not_found')
    for (const id of [completedTransfer.id, randomUUID(), 'x', "'", '%00', `${transaction.id}.1`]) {
      await expectRefusal(await cancel(sender, id), 'transaction_not_found')
    }
    expect((await lineOf(sender, transaction)).status).toBe('pending')
  })
})

async function waitingExpiries(): Promise<number> {
  const { rows } = await server.deps.pool.query(
    `SELECT id FROM graphile_worker.jobs WHERE task_identifier = 'payments.expire_claim'`,
  )
  return rows.length
}

describe('after seven days', () => {
  test('the money is returned automatically, once, and the sender gets a notice', async () => {
    const { transaction, token } = await hold()
    const job = expireClaimJob.work
    clock.set(new Date(START.getTime() + 7 * DAY_MS))
    await Promise.all([
      job(server.deps, { operationId: transaction.id }),
      job(server.deps, { operationId: transaction.id }),
    ])
    await job(server.deps, { operationId: transaction.id })
    expect((await sender.dashboard()).account).toMatchObject({ availableMinor: 100_00, heldMinor: 0 })
    expect((await sender.dashboard()).unreadNotifications).toBe(1)
    expect(await lineOf(sender, transaction)).toMatchObject({ status: 'returned', claim: null })
    await expectRefusal(await take(claimant, token), 'claim_not_open')
    await expectRefusal(await cancel(sender, transaction.id), 'claim_not_open')
  })

  test('a person with the link cannot prevent the return by using the id of the expiry', async () => {
    const { transaction, token } = await hold()
    const { id } = derivedIdentity('payments', transaction.id, 'expire')
    const body = { amountMinor: 1_00, asset: 'USD', method: 'card' }
    await expectRefusal(await claimant.browser.post('/api/v1/top-ups', body, { key: id }), 'idempotency_key_reserved')
    await expectRefusal(await take(claimant, token, id), 'idempotency_key_reserved')
    await expectRefusal(await cancel(sender, transaction.id, id.toUpperCase()), 'idempotency_key_reserved')
    clock.set(new Date(START.getTime() + 7 * DAY_MS))
    await expireClaimJob.work(server.deps, { operationId: transaction.id })
    expect((await sender.dashboard()).account).toMatchObject({ availableMinor: 100_00, heldMinor: 0 })
  })

  test('a sweep returns payments whose own job did not run, and until then they are shown as overdue', async () => {
    const { transaction } = await hold()
    await server.deps.pool.query(`SELECT graphile_worker.remove_job($1)`, [`payments.expire_claim:${transaction.id}`])
    clock.set(new Date(START.getTime() + 7 * DAY_MS - 1))
    expect(await overdueClaims.waiting.overdueSince(server.deps)).toBeNull()
    await overdueClaims.job.work(server.deps)
    expect((await lineOf(sender, transaction)).status).toBe('pending')
    clock.set(new Date(START.getTime() + 8 * DAY_MS))
    expect(await overdueClaims.waiting.overdueSince(server.deps)).toEqual(new Date(START.getTime() + 7 * DAY_MS))
    await Promise.all([overdueClaims.job.work(server.deps), overdueClaims.job.work(server.deps)])
    expect(await overdueClaims.waiting.overdueSince(server.deps)).toBeNull()
    expect((await lineOf(sender, transaction)).status).toBe('returned')
    expect((await sender.dashboard()).account).toMatchObject({ availableMinor: 100_00, heldMinor: 0 })
  })

  test('a link is closed from that instant, even if the job is late', async () => {
    const { token } = await hold()
    clock.set(new Date(START.getTime() + 7 * DAY_MS - 1))
    expect((await look(token)).status).toBe('open')
    clock.set(new Date(START.getTime() + 7 * DAY_MS))
    expect((await look(token)).status).toBe('returned')
    await expectRefusal(await take(claimant, token), 'claim_not_open')
  })

  test('the job is scheduled for the hour, and removed when no payment is left', async () => {
    const before = await waitingExpiries()
    const { transaction } = await hold()
    expect(await waitingExpiries()).toBe(before + 1)
    await cancel(sender, transaction.id)
    expect(await waitingExpiries()).toBe(before)
  })
})

describe('simultaneous requests', () => {
  test('to claim one payment pay one customer', async () => {
    const { token } = await hold()
    const otherPeople = await Promise.all(
      Array.from({ length: 5 }, (_, place) =>
        server.person({ fullName: `Other ${place}`, email: `other${round}.${place}@example.com` }),
      ),
    )
    const people = [claimant, ...otherPeople]
    const answers = await Promise.all(people.flatMap((person) => [take(person, token), take(person, token)]))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(11)
    const balances = await Promise.all(people.map((person) => person.balanceMinor()))
    expect(balances.reduce((sum, balance) => sum + balance, 0)).toBe(40_00)
    expect((await sender.dashboard()).account).toMatchObject({ availableMinor: 60_00, heldMinor: 0 })
  })

  test('of claim, cancel and expiry have exactly one outcome', async () => {
    const outcomes = new Set<string>()
    for (let attempt = 0; attempt < 15; attempt += 1) {
      const { transaction, token } = await hold(`race${round}.${attempt}@example.net`)
      const acts: (() => Promise<Response | void>)[] = [
        () => take(claimant, token),
        () => cancel(sender, transaction.id),
        () => expireClaimJob.work(server.deps, { operationId: transaction.id }),
      ]
      const first = acts.splice(attempt % 3, 1)
      // In the first three rounds the sides take turns with a head start. In later rounds the order is free.
      const headStart = attempt < 3 ? 50 : 0
      const before = { sender: await sender.balanceMinor(), claimant: await claimant.balanceMinor() }
      const answers = await Promise.all([
        ...first.map((act) => act()),
        ...acts.map((act) => wait(headStart + Math.random() * 8).then(() => act())),
      ])
      const succeeded = answers.filter((answer) => answer && answer.status === 200).length
      const { status } = await look(token)
      const moved = status === 'claimed' ? 40_00 : 0
      expect(succeeded).toBeLessThanOrEqual(1)
      expect(await sender.balanceMinor()).toBe(before.sender - moved)
      expect(await claimant.balanceMinor()).toBe(before.claimant + moved)
      expect((await sender.dashboard()).account.heldMinor).toBe(0)
      outcomes.add(status)
      if (moved) await sender.fund(40_00)
    }
    expect(outcomes).toEqual(new Set(['claimed', 'returned']))
  })
})
