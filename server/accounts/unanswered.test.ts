import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Unanswered } from '#contract/unanswered.ts'
import type { ChangeableDecline } from '#contract/path-after-decline.ts'
import type { PaymentMessage } from '#contract/card-scheme.ts'
import { policyFor } from '#server/bank/policy.ts'
import { issueCard } from '#server/cards/service.ts'
import { requestMandate } from '#server/direct-debits/mandates.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import { testClock } from '#server/test/bank.ts'
import {
  authorizationRequest,
  outcomeOf,
  type Plastic,
  plasticOf,
  SCHEME_SECRET,
  sendCardMessage,
} from '#server/test/card-scheme.ts'
import { type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { doJobs } from '#server/test/post-office.ts'

/** The dashboard's items that wait for an answer, read over HTTP. */

const START = new Date('2026-08-28T09:41:00.000Z')
const DAY_MS = 86_400_000
const clock = { ...testClock(START), realNow: () => START }
let server: PeopleServer
let ann: TestPerson
let ben: TestPerson
let cardId: string
let card: Plastic
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock, config: { cardSchemeSecret: SCHEME_SECRET } })
})
afterAll(() => server.close())
beforeEach(async () => {
  round += 1
  clock.set(START)
  server.deps.policy.unverifiedLimits = null
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  ben = await server.person({ fullName: 'Ben May', email: `ben${round}@example.com` })
  await ann.fund(100_00)
  const { id } = await issueCard(server.deps, {
    customerId: ann.customer.id,
    accountId: ann.customer.currentAccountId,
    type: 'debit',
    kind: 'main',
    name: 'Main Card',
    expiresOn: '2028-12-31',
  })
  cardId = id
  card = await plasticOf(server.deps, ann.customer.id, id)
})

const unanswered = async (of = ann) => (await of.dashboard()).unanswered
const kinds = async () => (await unanswered()).map(({ kind }) => kind)
const pay = (changes: Partial<PaymentMessage> = {}) =>
  outcomeOf(sendCardMessage(server, authorizationRequest(card, changes)))
const setCard = (columns: string) => server.deps.pool.query(`UPDATE bank.card SET ${columns} WHERE id = $1`, [cardId])
const advanceDays = (days: number) => clock.set(new Date(clock.businessNow().getTime() + days * DAY_MS))

async function requestMoney(from: TestPerson, recipient: string, amountMinor: number): Promise<void> {
  const body = { recipient, amountMinor, asset: 'USD', note: 'Dinner' }
  expect((await from.browser.post('/api/v1/money-requests', body, { key: randomUUID() })).status).toBe(200)
  // A job after the answer looks up the payer and whether the requester is a stranger to the payer.
  await doJobs(server, 'requests.tell_payer')
}
/** Makes a payment from Ann to Ben, so that he is not a stranger to her. */
async function paysBen(): Promise<void> {
  const body = { recipient: ben.customer.email, amountMinor: 1_00, asset: 'USD' }
  expect((await ann.browser.post('/api/v1/transfers', body, { key: randomUUID() })).status).toBe(200)
}

test('requests from known people wait until they end, and requests from strangers are listed separately', async () => {
  await requestMoney(ben, ann.customer.email, 9_00)
  expect(await unanswered()).toEqual([])
  await paysBen()
  await requestMoney(ben, ann.customer.email, 18_50)
  const [request, ...otherRequests] = await unanswered()
  expect(otherRequests).toEqual([])
  expect(request).toMatchObject({ kind: 'request', name: 'Ben May', amountMinor: 18_50, note: 'Dinner' })
  expect(await unanswered(ben)).toEqual([])
  const url = `/api/v1/money-requests/${request?.id}/payments`
  await ann.browser.post(url, { amountMinor: 10_00, asset: 'USD' }, { key: randomUUID() })
  expect(await unanswered()).toMatchObject([{ kind: 'request', amountMinor: 8_50 }])
  advanceDays(15)
  expect(await unanswered()).toEqual([])
})

test('requests to an address wait for the customer who later confirms the address', async () => {
  await paysBen()
  await requestMoney(ben, `cleo${round}@example.com`, 7_00)
  const cleo = await server.person({ fullName: 'Cleo Ray', email: `cleo${round}@example.com` })
  await server.deps.pool.query('UPDATE bank.money_request SET from_stranger = false WHERE requester_id = $1', [
    ben.customer.id,
  ])
  expect(await unanswered(cleo)).toMatchObject([{ kind: 'request', amountMinor: 7_00 }])
  await server.deps.pool.query('UPDATE bank.customer SET email_confirmed_at = NULL WHERE id = $1', [cleo.customer.id])
  expect(await unanswered(cleo)).toEqual([])
})

test('a biller’s mandate request waits for the customer’s decision', async () => {
  const bill = { billerName: 'Brightwater Energy', reference: 'BWE-1', category: 'bills' } as const
  const id = await inTransaction(server.deps.db, (trx) => requestMandate(server.deps, trx, ann.customer, bill))
  expect(await unanswered()).toEqual([{ kind: 'mandate', id, name: 'Brightwater Energy' }])
  await ann.browser.post(`/api/v1/mandates/${id}/decision`, { decision: 'decline' }, { key: randomUUID() })
  expect(await unanswered()).toEqual([])
})

const ABROAD = { name: 'Rue Livres', mcc: '5942', city: 'Lyon', country: 'FR' }

test.each<[ChangeableDecline, before: string, message: Partial<PaymentMessage>, after: string]>([
  ['card_frozen', `status = 'frozen'`, {}, `status = 'active'`],
  ['online_off', `online = false`, {}, `online = true`],
  ['contactless_off', `contactless = false`, { entry: 'contactless' }, `contactless = true`],
  ['abroad_off', `abroad = false`, { merchant: ABROAD }, `abroad = true`],
  ['payment_limit', `payment_limit_minor = 1000`, {}, `payment_limit_minor = 5000`],
])('a payment declined for %s waits until the cause is changed', async (reason, before, message, after) => {
  await setCard(before)
  expect(await pay(message)).toBe(reason)
  const name = message.merchant?.name ?? 'Fieldnote Books'
  expect(await unanswered()).toMatchObject([{ kind: 'declined', name, amountMinor: 40_00, asset: 'USD', reason }])
  await setCard(after)
  expect(await unanswered()).toEqual([])
})

test('a payment that failed for lack of money waits until there is enough, it was paid, or two days have passed', async () => {
  expect(await pay({ amountMinor: 130_00 })).toBe('insufficient_funds')
  expect(await pay({ amountMinor: 120_00 })).toBe('insufficient_funds')
  // Of two tries at a shop, only the latest counts.
  expect(await unanswered()).toMatchObject([{ kind: 'declined', amountMinor: 120_00, reason: 'insufficient_funds' }])
  await ann.fund(30_00)
  expect(await unanswered()).toEqual([])
  expect(await pay({ amountMinor: 131_00 })).toBe('insufficient_funds')
  expect(await kinds()).toEqual(['declined'])
  expect(await pay()).toBe('approved')
  expect(await unanswered()).toEqual([])
  expect(await pay({ amountMinor: 131_00 })).toBe('insufficient_funds')
  advanceDays(2)
  expect(await unanswered()).toEqual([])
})

test('a declined payment without a remedy does not wait', async () => {
  expect(await pay({ card: { ...card, cvv: card.cvv === '000' ? '111' : '000' } })).toBe('wrong_cvv')
  expect(await pay({ amountMinor: server.deps.policy.cards.paymentMinor + 1 })).toBe('card_maximum')
  expect(await unanswered()).toEqual([])
})

test('documents are requested when a low limit applies without them, or when a reviewer needs others', async () => {
  const identity = (again: boolean): Unanswered[] => [{ kind: 'identity', id: 'identity', again }]
  expect(await unanswered()).toEqual([])
  server.deps.policy.unverifiedLimits = policyFor({ mode: 'live' }).unverifiedLimits
  expect(await unanswered()).toEqual(identity(false))
  await server.deps.pool.query('INSERT INTO bank.kyc_case (id, customer_id, created_at) VALUES ($1, $2, $3)', [
    randomUUID(),
    ann.customer.id,
    START,
  ])
  expect(await unanswered()).toEqual(identity(false))
  const setCase = (status: string, reason: string | null) =>
    server.deps.pool.query(
      'UPDATE bank.kyc_case SET status = $2, reason = $3, submitted_at = $4 WHERE customer_id = $1',
      [ann.customer.id, status, reason, START],
    )
  await setCase('submitted', null)
  expect(await unanswered()).toEqual([])
  await setCase('again', '"Blurred"')
  server.deps.policy.unverifiedLimits = null
  expect(await unanswered()).toEqual(identity(true))
  await setCase('rejected', '"Not genuine"')
  expect(await unanswered()).toEqual([])
})

test('the most urgent item is first', async () => {
  const bill = { billerName: 'Brightwater Energy', reference: 'BWE-1', category: 'bills' } as const
  await inTransaction(server.deps.db, (trx) => requestMandate(server.deps, trx, ann.customer, bill))
  await paysBen()
  await requestMoney(ben, ann.customer.email, 18_50)
  await pay({ amountMinor: 130_00 })
  expect(await kinds()).toEqual(['declined', 'request', 'mandate'])
})
