import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Card } from '#contract/cards.ts'
import type { Goal } from '#contract/savings.ts'
import { collectDebit } from '#server/direct-debits/collections.ts'
import { announceDebit } from '#server/direct-debits/announcements.ts'
import { activeMandates, requestMandate } from '#server/direct-debits/mandates.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { inTransaction, runOn } from '#server/platform/db/run.ts'
import { findCollector } from '#server/rewards/collectors.ts'
import { testClock } from '#server/test/bank.ts'
import {
  authorizationRequest,
  outcomeOf,
  plasticOf,
  type Plastic,
  SCHEME_SECRET,
  sendCardMessage,
} from '#server/test/card-scheme.ts'
import { auditTestBooks, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
const DUE_ON = '2026-09-04'
const LATER = new Date('2026-09-04T12:00:00.000Z')
const clock = { ...testClock(START), realNow: () => START }
/** The number of simultaneous attempts of each request. */
const TRIES = 6

let server: PeopleServer
let ann: TestPerson
let ben: TestPerson

beforeAll(async () => {
  server = await peopleServer({ clock, config: { cardSchemeSecret: SCHEME_SECRET } })
  ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  ben = await server.person({ fullName: 'Ben May', email: 'ben@example.com' })
  await ann.fund(1_000_00)
  await ben.fund(1_000_00)
})
afterAll(() => server.close())

const usd = (amountMinor: number) => ({ amountMinor, asset: 'USD' })
const post = (person: TestPerson, path: string, body?: object) =>
  person.browser.post(`/api/v1${path}`, body, { key: randomUUID() })

/** Returns 'done' or the code of the refusal. Any other response is a fault of the bank. */
async function outcome(request: Promise<Response>): Promise<string> {
  const answer = await request
  if (answer.ok) return 'done'
  const { error } = (await answer.json()) as { error?: { code: string } }
  expect(answer.status, JSON.stringify(error)).toBeLessThan(500)
  return error?.code ?? 'nothing'
}

async function requestFor(amountMinor: number): Promise<string> {
  const answer = await post(ann, '/money-requests', { recipient: 'ben@example.com', ...usd(amountMinor) })
  return ((await answer.json()) as { request: { id: string } }).request.id
}

async function goalWith(amountMinor: number, lockedUntil: string | null = null): Promise<string> {
  const content = { name: 'Sea', icon: 'plane', targetMinor: 500_00, targetOn: null, lockedUntil }
  const { id } = (await (await post(ann, '/goals', content)).json()) as { id: string }
  expect((await post(ann, `/goals/${id}/deposits`, usd(amountMinor))).status).toBe(200)
  return id
}

async function givePoints(person: TestPerson, amountMinor: number): Promise<void> {
  const { accountId: credit } = await findCollector(server.deps, person.customer.id)
  const leg = { kind: 'transfer' as const, debit: bankAccount('points_issued', 'POINTS'), credit, amountMinor }
  const operation = { id: randomUUID(), kind: 'rewards.test', fingerprint: 'test', bookedAt: START, legs: [leg] }
  await server.deps.ledger.post(operation)
}

async function mandateDue(amountMinor: number): Promise<string> {
  const mandateRequest = { billerName: 'Brightwater Energy', reference: randomUUID(), category: 'bills' as const }
  const id = await inTransaction(server.deps.db, (trx) =>
    requestMandate(
      server.deps,
      trx,
      { id: ann.customer.id, currentAccountId: ann.customer.currentAccountId },
      mandateRequest,
    ),
  )
  expect((await post(ann, `/mandates/${id}/decision`, { decision: 'approve' })).status).toBe(200)
  await inTransaction(server.deps.db, async (trx) => {
    const mandate = (await activeMandates(trx, ann.customer.id)).find((activeMandate) => activeMandate.id === id)
    if (mandate) await announceDebit(trx, mandate, { dueOn: DUE_ON, amountMinor })
  })
  return id
}

const message = (type: string, authorisationId: string, more: object = {}) =>
  outcomeOf(sendCardMessage(server, { type, messageId: randomUUID(), authorisationId, ...more }))
async function authorised(card: Plastic, amountMinor: number): Promise<string> {
  const payment = authorizationRequest(card, { amountMinor })
  expect(await outcomeOf(sendCardMessage(server, payment))).toBe('approved')
  return payment.authorisationId
}

const countOutcomes = (outcomes: readonly string[], expected: string) =>
  outcomes.filter((result) => result === expected).length
const times = (work: () => Promise<string>) => Promise.all(Array.from({ length: TRIES }, work))

/** Returns the sum of a customer's accounts in US cents. */
async function wealth({ customer }: TestPerson): Promise<number> {
  const accounts = await accountsOf(runOn(server.deps.pool), customer.id)
  return accounts.filter(({ asset }) => asset === 'USD').reduce((sum, { balanceMinor }) => sum + balanceMinor, 0)
}

test('many simultaneous invalid requests leave the books balanced', async () => {
  await post(ann, '/cards/main')
  const { cards } = (await (await ann.browser.get('/api/v1/cards')).json()) as { cards: Card[] }
  const [main] = cards
  const plastic = await plasticOf(server.deps, ann.customer.id, main?.id ?? '')
  const openRequest = await requestFor(20_00)
  const canceledRequest = await requestFor(20_00)
  await post(ann, `/money-requests/${canceledRequest}/cancel`)
  const [goal, locked] = [await goalWith(50_00), await goalWith(30_00, '2030-01-01')]
  const [capturedId, releasedId] = [await authorised(plastic, 40_00), await authorised(plastic, 25_00)]
  await message('expire', releasedId)
  await givePoints(ann, 1_500)
  const mandate = await mandateDue(45_00)
  clock.set(LATER)
  const wealthBefore = { ann: await wealth(ann), ben: await wealth(ben) }

  const attempts = {
    paid: times(() => outcome(post(ben, `/money-requests/${openRequest}/payments`, usd(20_00)))),
    tooMuch: times(() => outcome(post(ben, `/money-requests/${openRequest}/payments`, usd(20_01)))),
    late: times(() => outcome(post(ben, `/money-requests/${canceledRequest}/payments`, usd(20_00)))),
    oneself: times(() => outcome(post(ann, '/money-requests', { recipient: 'ann@example.com', ...usd(1_00) }))),
    splitWithNobody: times(() =>
      outcome(post(ann, '/bills', { totalMinor: 10_00, asset: 'USD', division: 'equal', people: [] })),
    ),
    drained: times(() => outcome(post(ann, `/goals/${goal}/withdrawals`, usd(50_00)))),
    tooDeep: times(() => outcome(post(ann, `/goals/${goal}/withdrawals`, usd(50_01)))),
    unlocked: times(() => outcome(post(ann, `/goals/${locked}/withdrawals`, usd(1_00)))),
    captured: times(() => message('capture', capturedId, usd(40_00))),
    overCaptured: times(() => message('capture', capturedId, usd(400_00))),
    afterExpiry: times(() => message('capture', releasedId, usd(25_00))),
    overRefunded: times(() => message('refund', capturedId, usd(40_01))),
    redeemed: times(() => outcome(post(ann, '/rewards/redemptions', { reward: 'cashback' }))),
    upgraded: times(() => outcome(post(ben, '/rewards/premium', { priceMinor: 9_99, asset: 'USD' }))),
    collected: times(() =>
      collectDebit(server.deps, { mandateId: mandate, dueOn: DUE_ON, amountMinor: 45_00 }).catch(
        (error: { code: string }) => error.code,
      ),
    ),
    scheduled: times(() =>
      outcome(
        post(ann, '/schedules', {
          recipient: 'ben@example.com',
          ...usd(1_00),
          every: 'month',
          startsOn: '2027-02-31',
          end: { kind: 'never' },
        }),
      ),
    ),
  }
  const names = Object.keys(attempts) as (keyof typeof attempts)[]
  const results = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await attempts[name]] as const)),
  ) as Record<keyof typeof attempts, string[]>

  for (const name of ['paid', 'drained', 'captured', 'redeemed', 'upgraded'] as const)
    expect([name, countOutcomes(results[name], 'done')]).toEqual([name, 1])
  // The simultaneous requests collect one payment, so each of them may receive 'collected'.
  expect(results.collected.every((result) => result === 'collected' || result === 'debit_repeated')).toBe(true)
  for (const name of ['tooMuch', 'late', 'oneself', 'splitWithNobody', 'tooDeep', 'unlocked', 'scheduled'] as const)
    expect([name, countOutcomes(results[name], 'done')]).toEqual([name, 0])
  for (const name of ['overCaptured', 'afterExpiry', 'overRefunded'] as const)
    expect([name, countOutcomes(results[name], 'done')]).toEqual([name, 0])

  await auditTestBooks(server)
  // Ann receives 20.00, pays the shop 40.00 and the biller 45.00, and redeems ten dollars. Ben pays her and pays for Premium.
  expect({ ann: await wealth(ann), ben: await wealth(ben) }).toEqual({
    ann: wealthBefore.ann + 20_00 - 40_00 - 45_00 + 10_00,
    ben: wealthBefore.ben - 20_00 - 9_99,
  })
  const { goals } = (await (await ann.browser.get('/api/v1/goals')).json()) as { goals: Goal[] }
  expect(goals.map(({ id, savedMinor }) => [id, savedMinor])).toEqual(
    expect.arrayContaining([
      [goal, 0],
      [locked, 30_00],
    ]),
  )
})
