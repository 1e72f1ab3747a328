import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Dispute, DisputeToReview } from '#contract/disputes.ts'
import { cashbackJob } from '#server/cards/cashback.ts'
import { collectDebtsJob } from '#server/owed/collect-debts.ts'
import { owedOf } from '#server/owed/debts.ts'
import { issueCard } from '#server/cards/service.ts'
import { finalizeCreditsJob } from '#server/disputes/finalize-credits.ts'
import { takeDueJob } from '#server/disputes/review.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { runAsOwner } from '#server/test/database.ts'
import { testClock } from '#server/test/bank.ts'
import {
  authorizationRequest,
  outcomeOf,
  type Plastic,
  plasticOf,
  SCHEME_SECRET,
  sendCardMessage,
} from '#server/test/card-scheme.ts'
import { bookAsBefore } from '#server/test/ledger.ts'
import { auditTestBooks, expectRefusal, type TestPerson, peopleServer, type PeopleServer } from '#server/test/people.ts'
import { giveSecondFactor, type SecondFactor } from '#server/test/second-factor.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
const DAY_MS = 86_400_000
const clock = { ...testClock(START), realNow: () => START }

type Reviewer = TestPerson & SecondFactor

let server: PeopleServer
let rita: Reviewer
let ann: TestPerson
let card: Plastic
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock, config: { cardSchemeSecret: SCHEME_SECRET } })
  rita = await reviewer({ fullName: 'Rita Reviewer', email: 'rita@example.com' })
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})
beforeEach(async () => {
  round += 1
  clock.set(START)
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  await ann.fund(100_00)
  card = await cardOf(ann)
})

async function cardOf({ customer }: TestPerson): Promise<Plastic> {
  const { id } = await issueCard(server.deps, {
    customerId: customer.id,
    accountId: customer.currentAccountId,
    type: 'debit',
    kind: 'main',
    name: 'Main Card',
    expiresOn: '2028-12-31',
  })
  return plasticOf(server.deps, customer.id, id)
}

async function reviewer(details: { fullName: string; email: string }): Promise<Reviewer> {
  const person = await server.person(details)
  await runAsOwner(server.database.ownerUrl, `UPDATE bank.customer SET role = 'reviewer' WHERE id = $1`, [
    person.customer.id,
  ])
  return { ...person, ...(await giveSecondFactor(server, person)) }
}

const say = (message: unknown) => outcomeOf(sendCardMessage(server, message))

/** Makes a captured card payment; returns the scheme's id and the transaction in the customer's list. */
async function payByCard(amountMinor: number, plastic = card, person = ann) {
  const message = authorizationRequest(plastic, { amountMinor })
  expect(await say(message)).toBe('approved')
  const { authorisationId } = message
  await say({ type: 'capture', messageId: randomUUID(), authorisationId, amountMinor, asset: 'USD', final: true })
  const [line] = await person.transactions('?limit=1')
  return { authorisationId, transactionId: line?.id ?? '' }
}
const refund = (authorisationId: string, amountMinor: number) =>
  say({ type: 'refund', messageId: randomUUID(), authorisationId, amountMinor, asset: 'USD' })

const report = (transactionId: string, person = ann, reason = 'not_me') =>
  person.browser.post('/api/v1/disputes', { transactionId, reason })
const reported = async (transactionId: string): Promise<Dispute> => {
  const answer = await report(transactionId)
  expect(answer.status).toBe(200)
  return (await answer.json()).dispute
}
const decide = (id: string, body: object, by: Reviewer = rita, key = randomUUID()) =>
  by.prove((headers) => by.browser.post(`/api/v1/review/disputes/${id}/decisions`, body, { headers, key }))
const about = async (transactionId: string): Promise<{ dispute: Dispute | null; mayDispute: boolean }> =>
  (await ann.browser.get(`/api/v1/transactions/${transactionId}/dispute`)).json()

async function inDispute(): Promise<number> {
  const { trialBalance } = await auditTestBooks(server)
  return Number(trialBalance.find(({ code }) => code === 'disputed_payments')?.debitMinor ?? 0)
}

test('upheld: the customer keeps the credit, and the scheme has paid it', async () => {
  const before = await inDispute()
  const { transactionId, authorisationId } = await payByCard(40_00)
  expect(await about(transactionId)).toEqual({ dispute: null, mayDispute: true })
  const dispute = await reported(transactionId)
  expect(dispute).toMatchObject({ amountMinor: 40_00, creditedMinor: 40_00, status: 'open' })
  expect(await ann.balanceMinor()).toBe(100_00)
  expect(await inDispute()).toBe(before + 40_00)
  const queue: { disputes: DisputeToReview[] } = await (await rita.browser.get('/api/v1/review/disputes')).json()
  expect(queue.disputes.find(({ id }) => id === dispute.id)).toMatchObject({ customerName: 'Ann Lee', own: false })
  expect((await decide(dispute.id, { decision: 'uphold' })).status).toBe(200)
  expect(await about(transactionId)).toMatchObject({ dispute: { status: 'upheld' }, mayDispute: false })
  expect(await ann.balanceMinor()).toBe(100_00)
  expect(await inDispute()).toBe(before)
  // The shop cannot refund an amount that the dispute has already returned.
  expect(await refund(authorisationId, 1)).toBe('refund_too_large')
})

test('rejected: the credit is taken back, with the reason', async () => {
  const { transactionId } = await payByCard(40_00)
  const { id } = await reported(transactionId)
  await expectRefusal(await decide(id, { decision: 'reject' }), 'fields_missing', 'answer')
  expect((await decide(id, { decision: 'reject', answer: 'You signed for it' })).status).toBe(200)
  expect(await ann.balanceMinor()).toBe(60_00)
  expect((await about(transactionId)).dispute).toMatchObject({ status: 'rejected', answer: 'You signed for it' })
  await expectRefusal(await report(transactionId), 'dispute_open')
})

test('rejected after the credit is spent: it is a debt, and is collected when there is money', async () => {
  const before = await inDispute()
  const { transactionId } = await payByCard(40_00)
  const { id } = await reported(transactionId)
  await payByCard(100_00)
  expect((await decide(id, { decision: 'reject', answer: 'No' })).status).toBe(200)
  expect(await ann.balanceMinor()).toBe(0)
  expect((await about(transactionId)).dispute).toMatchObject({ creditedMinor: 40_00, upheldMinor: 0, dueMinor: 40_00 })
  expect(await inDispute()).toBe(before)
  await ann.fund(50_00)
  expect((await ann.dashboard()).account.availableMinor).toBe(10_00)
  await Promise.all([collectDebtsJob.work(server.deps), collectDebtsJob.work(server.deps)])
  expect(await ann.balanceMinor()).toBe(10_00)
  expect((await about(transactionId)).dispute).toMatchObject({ creditedMinor: 40_00, dueMinor: 0 })
  expect(await inDispute()).toBe(before)
})

test('a refund by the shop, before or since, is not paid twice', async () => {
  const { transactionId, authorisationId } = await payByCard(40_00)
  await refund(authorisationId, 10_00)
  const dispute = await reported(transactionId)
  expect(dispute).toMatchObject({ amountMinor: 30_00, creditedMinor: 30_00 })
  expect(await ann.balanceMinor()).toBe(100_00)
  expect(await refund(authorisationId, 25_00)).toBe('done')
  expect(await ann.balanceMinor()).toBe(125_00)
  expect((await decide(dispute.id, { decision: 'uphold' })).status).toBe(200)
  expect(await ann.balanceMinor()).toBe(100_00)
  expect((await about(transactionId)).dispute).toMatchObject({ creditedMinor: 30_00, upheldMinor: 5_00, dueMinor: 0 })
})

test('a fully refunded payment, a payment without a card, and an old payment cannot be disputed', async () => {
  const refunded = await payByCard(10_00)
  await refund(refunded.authorisationId, 10_00)
  await expectRefusal(await report(refunded.transactionId), 'dispute_impossible')
  const oldPayment = await payByCard(10_00)
  clock.set(new Date(START.getTime() + 121 * DAY_MS))
  await expectRefusal(await report(oldPayment.transactionId), 'dispute_impossible')
  clock.set(START)
  const topUp = (await ann.transactions()).find(({ category }) => category === 'top_up')
  await expectRefusal(await report(topUp?.id ?? ''), 'dispute_impossible')
  await expectRefusal(await report(randomUUID()), 'transaction_not_found')
})

test('an id that is not text is refused like any other invalid id', async () => {
  await expectRefusal(await report('\uD800'), 'request_invalid')
  await expectRefusal(await report('\0'), 'transaction_not_found')
})

test('a payment of a virtual card is seen and disputed by its holder only', async () => {
  const cardRequest = { name: 'Trip', kind: 'single_use', limitMinor: 50_00, loadMinor: 50_00, asset: 'USD' }
  const { id } = await (await ann.browser.post('/api/v1/cards', cardRequest)).json()
  const message = authorizationRequest(await plasticOf(server.deps, ann.customer.id, id), { amountMinor: 40_00 })
  const { authorisationId } = message
  expect(await say(message)).toBe('approved')
  const row = await server.deps.db
    .selectFrom('bank.card_authorisation')
    .select('id')
    .where('scheme_id', '=', authorisationId)
    .executeTakeFirstOrThrow()
  const look = (person: TestPerson) => person.browser.get(`/api/v1/transactions/${row.id}`)
  expect(await (await look(ann)).json()).toMatchObject({ amountMinor: -40_00, status: 'pending', claim: null })
  await say({ type: 'capture', messageId: randomUUID(), authorisationId, amountMinor: 40_00, asset: 'USD' })
  expect(await (await look(ann)).json()).toMatchObject({ amountMinor: -40_00, status: 'completed' })
  const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
  await expectRefusal(await look(bob), 'transaction_not_found')
  await expectRefusal(await report(row.id, bob), 'transaction_not_found')
  expect((await reported(row.id)).creditedMinor).toBe(40_00)
  expect(await ann.balanceMinor()).toBe(90_00)
})

const FINAL = new Date(START.getTime() + 90 * DAY_MS)

test('a credit without a decision becomes final after 90 days, as of that day, and once', async () => {
  const { transactionId, authorisationId } = await payByCard(40_00)
  const dispute = await reported(transactionId)
  expect(dispute).toMatchObject({ creditedMinor: 40_00, finalAt: FINAL.toISOString() })
  clock.set(new Date(FINAL.getTime() - 1))
  await finalizeCreditsJob.work(server.deps)
  expect((await about(transactionId)).dispute).toMatchObject({ status: 'open' })
  // The bank did not run for a week.
  clock.set(new Date(FINAL.getTime() + 7 * DAY_MS))
  await Promise.all([1, 2, 3].map(() => finalizeCreditsJob.work(server.deps)))
  expect((await about(transactionId)).dispute).toMatchObject({ status: 'upheld', upheldMinor: 40_00, finalAt: null })
  expect(await ann.balanceMinor()).toBe(100_00)
  const { rows } = await server.deps.pool.query(
    'SELECT booked_at FROM ledger.entry WHERE operation_id = $1 AND account_id = $2',
    [derivedIdentity('disputes', dispute.id, 'uphold').id, bankAccount('card_losses')],
  )
  expect(rows).toEqual([{ booked_at: FINAL }])
  await expectRefusal(await decide(dispute.id, { decision: 'reject', answer: 'No' }), 'dispute_decided')
  // The payment counts as refunded, so the shop cannot refund it again.
  expect(await refund(authorisationId, 40_00)).not.toBe('done')
  expect(await ann.balanceMinor()).toBe(100_00)
  await auditTestBooks(server)
})

test('a refund by the shop before a credit is final is not kept twice', async () => {
  const { transactionId, authorisationId } = await payByCard(40_00)
  await reported(transactionId)
  await refund(authorisationId, 30_00)
  expect(await ann.balanceMinor()).toBe(130_00)
  clock.set(FINAL)
  await finalizeCreditsJob.work(server.deps)
  expect(await ann.balanceMinor()).toBe(100_00)
  expect((await about(transactionId)).dispute).toMatchObject({ status: 'upheld', upheldMinor: 10_00 })
})

test('a decision on the day on which a credit becomes final counts once', async () => {
  const cases: { id: string; transactionId: string }[] = []
  for (let payment = 0; payment < 4; payment += 1) {
    const { transactionId } = await payByCard(10_00)
    cases.push({ id: (await reported(transactionId)).id, transactionId })
  }
  clock.set(FINAL)
  const decisions = cases.map(({ id }) => decide(id, { decision: 'reject', answer: 'No' }))
  await Promise.all([finalizeCreditsJob.work(server.deps), ...decisions, finalizeCreditsJob.work(server.deps)])
  const statuses = await Promise.all(
    cases.map(async ({ transactionId }) => (await about(transactionId)).dispute?.status),
  )
  const upheldCount = statuses.filter((status) => status === 'upheld').length
  expect(statuses.every((status) => status === 'upheld' || status === 'rejected')).toBe(true)
  expect(await ann.balanceMinor()).toBe(60_00 + upheldCount * 10_00)
  await auditTestBooks(server)
})

test('simultaneous reports of one payment make one dispute, and one of simultaneous decisions counts', async () => {
  const { transactionId } = await payByCard(20_00)
  const answers = await Promise.all(Array.from({ length: 8 }, () => report(transactionId)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    ...Array.from({ length: 7 }, () => 409),
  ])
  expect(await ann.balanceMinor()).toBe(100_00)
  const { dispute } = await about(transactionId)
  const [first, second] = await Promise.all([
    decide(dispute?.id ?? '', { decision: 'uphold' }),
    reviewer({ fullName: 'Ravi Reviewer', email: `ravi${round}@example.com` }).then((ravi) =>
      decide(dispute?.id ?? '', { decision: 'reject', answer: 'No' }, ravi),
    ),
  ])
  expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([200, 409])
})

test('a customer takes a dispute back, and may report the payment again', async () => {
  const { transactionId } = await payByCard(20_00)
  const { id } = await reported(transactionId)
  const withdraw = () => ann.browser.post(`/api/v1/disputes/${id}/withdraw`)
  const answers = await Promise.all([withdraw(), withdraw()])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect(await ann.balanceMinor()).toBe(80_00)
  await expectRefusal(await decide(id, { decision: 'uphold' }), 'dispute_decided')
  expect((await reported(transactionId)).status).toBe('open')
})

test.each(['reject', 'withdraw'])(
  'a dispute whose key an order for a fund had, in an older version, can be decided: %s',
  async (decision) => {
    const { transactionId } = await payByCard(40_00)
    const { id } = await reported(transactionId)
    const leg = { kind: 'transfer', debit: ann.customer.currentAccountId, credit: bankAccount('fees') } as const
    await bookAsBefore(server.deps.pool, {
      ...derivedIdentity('investing', id, 'take_back'),
      kind: 'investing.cancel',
      fingerprint: 'of a fund order',
      bookedAt: START,
      legs: [{ ...leg, amountMinor: 1_00 }],
    })
    const decided =
      decision === 'reject'
        ? decide(id, { decision: 'reject', answer: 'No' })
        : ann.browser.post(`/api/v1/disputes/${id}/withdraw`)
    expect((await decided).status).toBe(200)
    expect(await ann.balanceMinor()).toBe(59_00)
  },
)

test('a decision locks its customer before the dispute or payment, in the same order as a report', async () => {
  const { transactionId, authorisationId } = await payByCard(20_00)
  const { id } = await reported(transactionId)
  const lockingClient = await server.deps.pool.connect()
  await lockingClient.query('BEGIN')
  await lockingClient.query('SELECT FROM bank.customer WHERE id = $1 FOR NO KEY UPDATE', [ann.customer.id])
  const decided = decide(id, { decision: 'uphold' })
  const waitingQuery = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  // A statement that an earlier request left running may also wait here.
  await expect.poll(async () => (await server.deps.pool.query(waitingQuery)).rowCount).toBeGreaterThanOrEqual(1)
  await lockingClient.query('SELECT FROM bank.card_authorisation WHERE scheme_id = $1 FOR UPDATE NOWAIT', [
    authorisationId,
  ])
  await lockingClient.query('SELECT FROM bank.dispute WHERE id = $1 FOR UPDATE NOWAIT', [id])
  await lockingClient.query('COMMIT')
  lockingClient.release()
  expect((await decided).status).toBe(200)
})

test('customers cannot decide their own disputes, and only a reviewer can decide', async () => {
  await rita.fund(50_00)
  const { transactionId } = await payByCard(20_00, await cardOf(rita), rita)
  const { dispute } = await (await report(transactionId, rita)).json()
  const before = await auditTestBooks(server)
  await expectRefusal(await decide(dispute.id, { decision: 'uphold' }), 'dispute_own')
  await expectRefusal(
    await ann.browser.post(`/api/v1/review/disputes/${dispute.id}/decisions`, { decision: 'uphold' }),
    'not_found',
  )
  await expectRefusal(await ann.browser.post(`/api/v1/disputes/${dispute.id}/withdraw`), 'not_found')
  expect(await auditTestBooks(server)).toEqual(before)
})

test('beyond the maximum in dispute there is no credit before the decision', async () => {
  await ann.fund(20_000_00)
  const [firstPayment, secondPayment, smallPayment] = [
    await payByCard(4_995_00),
    await payByCard(4_995_00),
    await payByCard(20_00),
  ]
  for (const { transactionId } of [firstPayment, secondPayment])
    expect((await reported(transactionId)).creditedMinor).toBe(4_995_00)
  const dispute = await reported(smallPayment.transactionId)
  expect(dispute.creditedMinor).toBe(0)
  const before = await ann.balanceMinor()
  expect((await decide(dispute.id, { decision: 'uphold' })).status).toBe(200)
  expect(await ann.balanceMinor()).toBe(before + 20_00)
})

test('the credit for a payment in parts is at most the amount that the shop has kept', async () => {
  const message = authorizationRequest(card, { amountMinor: 80_00 })
  const { authorisationId } = message
  await say(message)
  const take = (final: boolean) =>
    say({ type: 'capture', messageId: randomUUID(), authorisationId, amountMinor: 40_00, asset: 'USD', final })
  expect([await take(false), await take(true)]).toEqual(['done', 'done'])
  const [latestTransaction, earlierTransaction] = await ann.transactions('?limit=2')
  await refund(authorisationId, 40_00)
  expect((await reported(latestTransaction?.id ?? '')).creditedMinor).toBe(40_00)
  await expectRefusal(await report(earlierTransaction?.id ?? ''), 'dispute_impossible')
  expect(await ann.balanceMinor()).toBe(100_00)
})

test('an upheld dispute earns no cashback, like a refund by the shop', async () => {
  const { transactionId } = await payByCard(40_00)
  await payByCard(10_00)
  const cashback = async () => (await (await ann.browser.get('/api/v1/cards')).json()).cashback.thisMonthMinor
  expect(await cashback()).toBe(50)
  const { id } = await reported(transactionId)
  expect((await decide(id, { decision: 'uphold' })).status).toBe(200)
  expect(await cashback()).toBe(10)
  clock.set(new Date('2026-09-02T12:00:00Z'))
  await cashbackJob.work(server.deps)
  expect((await ann.transactions('?limit=1'))[0]).toMatchObject({ amountMinor: 10 })
})

test('a customer cannot close with a credit that has to be paid back, or may have to be', async () => {
  const { transactionId } = await payByCard(100_00)
  const { id } = await reported(transactionId)
  await payByCard(100_00)
  const close = () => ann.browser.post('/api/v1/profile/closure', {})
  await expectRefusal(await close(), 'dispute_undecided')
  expect((await decide(id, { decision: 'reject', answer: 'No' })).status).toBe(200)
  await expectRefusal(await close(), 'owes_bank')
  await ann.fund(100_00)
  await collectDebtsJob.work(server.deps)
  expect((await close()).status).toBe(204)
})

test('debts from earlier versions are owed from the next run on, for any number of customers', async () => {
  const model = await reported((await payByCard(10_00)).transactionId)
  const poor = await server.person({ fullName: 'Poor Paul', email: `paul${round}@example.com` })
  await server.deps.pool.query(
    `INSERT INTO bank.dispute SELECT (d.copy).* FROM generate_series(1, 101) n, LATERAL (
       SELECT jsonb_populate_record(d, jsonb_build_object('id', lpad(to_hex(n), 32, '0'), 'customer_id', $2::text,
                'transaction_id', n::text, 'status', 'rejected', 'due_minor', d.credited_minor, 'decided_at', now())) AS copy
         FROM bank.dispute d WHERE id = $1) d`,
    [model.id, poor.customer.id],
  )
  await takeDueJob.work(server.deps)
  expect(await owedOf(server.deps.db, [poor.customer.id])).toEqual(new Map([[poor.customer.id, 1_010_00]]))
  await poor.fund(2_000_00)
  await collectDebtsJob.work(server.deps)
  expect(await poor.balanceMinor()).toBe(990_00)
  await auditTestBooks(server)
})
