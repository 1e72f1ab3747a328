import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Transaction } from '#contract/accounts.ts'
import type { PaymentMessage } from '#contract/card-scheme.ts'
import type { DeclineReason } from '#contract/decline-reasons.ts'
import { MAX_AMOUNT_MINOR } from '#contract/money.ts'
import { lineNamed } from '#contract/line-texts.ts'
import { removeUsedCardsJob } from '#server/cards/remove.ts'
import { issueCard, type NewCard } from '#server/cards/service.ts'
import { readMonthUsage } from '#server/cards/card-usage.ts'
import { expirePaymentsJob } from '#server/card-scheme/expiry.ts'
import { purgeMessagesJob } from '#server/card-scheme/messages.ts'
import { sweepCapturesJob } from '#server/card-scheme/points.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { lateParts } from '#server/platform/lateness.ts'
import { runOn } from '#server/platform/db/run.ts'
import { testClock } from '#server/test/bank.ts'
import {
  authorizationRequest,
  outcomeOf,
  type Plastic,
  plasticOf,
  SCHEME_SECRET,
  sendCardMessage,
  type MessageSigning,
} from '#server/test/card-scheme.ts'
import { auditTestBooks, expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { doJobs } from '#server/test/post-office.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
let realNow = START
const clock = { ...testClock(START), realNow: () => realNow }
let server: PeopleServer
let ann: TestPerson
let cardId: string
let card: Plastic
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock, config: { cardSchemeSecret: SCHEME_SECRET } })
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})
beforeEach(async () => {
  round += 1
  realNow = START
  clock.set(START)
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  await ann.fund(100_00)
  ;({ cardId, card } = await newCard())
})

async function newCard(changes: Partial<NewCard> = {}): Promise<{ cardId: string; card: Plastic }> {
  const { id } = await issueCard(server.deps, {
    customerId: ann.customer.id,
    accountId: ann.customer.currentAccountId,
    type: 'debit',
    kind: 'main',
    name: 'Main Card',
    expiresOn: '2028-12-31',
    ...changes,
  })
  return { cardId: id, card: await plasticOf(server.deps, ann.customer.id, id) }
}

const say = (message: unknown, how?: MessageSigning) => outcomeOf(sendCardMessage(server, message, how))
const pay = (changes: Partial<PaymentMessage> = {}) => say(authorizationRequest(card, changes))

/** Makes an approved payment and returns its scheme id. */
async function approved(amountMinor = 40_00, changes: Partial<PaymentMessage> = {}): Promise<string> {
  const message = authorizationRequest(card, { amountMinor, ...changes })
  expect(await say(message)).toBe('approved')
  return message.authorisationId
}

const about = (type: string, authorisationId: string, more: object = {}) => ({
  type,
  messageId: randomUUID(),
  authorisationId,
  ...more,
})
const capture = (authorisationId: string, amountMinor: number, more: object = {}) =>
  say(about('capture', authorisationId, { amountMinor, asset: 'USD', ...more }))
const refund = (authorisationId: string, amountMinor: number) =>
  say(about('refund', authorisationId, { amountMinor, asset: 'USD' }))
const reverse = (authorisationId: string, more: object = {}) => say(about('reverse', authorisationId, more))

const setCard = (columns: string, id = cardId) =>
  server.deps.pool.query(`UPDATE bank.card SET ${columns} WHERE id = $1`, [id])

async function money() {
  const { account } = await ann.dashboard()
  return { balance: account.availableMinor + account.heldMinor, available: account.availableMinor }
}
async function points(): Promise<number> {
  await server.deps.paymentPoints.flush()
  await doJobs(server, 'rewards.take_back')
  const accounts = await accountsOf(runOn(server.deps.pool), ann.customer.id)
  return accounts.find(({ code }) => code === 'points')?.balanceMinor ?? 0
}
const usedMinor = () => readMonthUsage(server.deps, cardId, clock.businessNow())
const lines = async () => (await ann.transactions()).filter(({ category }) => category !== 'top_up')
const listedLines = async () => (await lines()).map(({ amountMinor, status }) => [amountMinor, status])

async function owedMinor(): Promise<number> {
  const { trialBalance } = await auditTestBooks(server)
  expect(trialBalance.find(({ code }) => code === 'card_losses')?.debitMinor ?? 0n).toBe(0n)
  return Number(trialBalance.find(({ code }) => code === 'owed')?.debitMinor ?? 0)
}

async function notices(): Promise<[kind: string, reason: unknown][]> {
  await server.deps.alerts.flush()
  const { rows } = await server.deps.pool.query(
    'SELECT kind, params FROM bank.notification WHERE customer_id = $1 ORDER BY created_at, id',
    [ann.customer.id],
  )
  return rows.map((row) => [row.kind, row.params.reason ?? null])
}

describe('a payment', () => {
  test('is held when it is authorized, and completed when the shop captures it', async () => {
    const id = await approved(40_00)
    expect(await money()).toEqual({ balance: 100_00, available: 60_00 })
    const [heldLine] = await lines()
    expect(heldLine).toMatchObject({
      name: lineNamed('Fieldnote Books'),
      amountMinor: -40_00,
      status: 'pending',
      category: 'shopping',
      paymentMethod: { code: 'debit_card', params: { lastFour: card.number.slice(-4) } },
    })
    expect(await capture(id, 40_00)).toBe('done')
    expect(await money()).toEqual({ balance: 60_00, available: 60_00 })
    expect(await lines()).toEqual([
      { ...heldLine, status: 'completed', balanceAfterMinor: 60_00, bookedAt: START.toISOString() },
    ])
    expect(await usedMinor()).toBe(40_00)
    expect(await notices()).toEqual([['card_payment', null]])
  })

  test('names the shop if its category is ambiguous, and is found by the card', async () => {
    const id = await approved(4_50, { merchant: { name: 'Bean There', mcc: '5814', country: 'US' } })
    await capture(id, 4_50)
    const [line] = await ann.transactions('?q=Bean')
    const lastFour = card.number.slice(-4)
    expect(line?.paymentMethod).toEqual({ code: 'debit_card', params: { lastFour, merchantKind: 'coffee' } })
    for (const q of [lastFour, `Debit card •••• ${lastFour}`, `debit card •••• ${lastFour.slice(0, 2)}`])
      expect((await ann.transactions(`?q=${encodeURIComponent(q)}`))[0]?.id).toBe(line?.id)
  })

  test('is captured in part, and the rest is released', async () => {
    const id = await approved(40_00)
    expect(await capture(id, 25_00)).toBe('done')
    expect(await money()).toEqual({ balance: 75_00, available: 75_00 })
    expect(await listedLines()).toEqual([[-25_00, 'completed']])
    expect(await usedMinor()).toBe(25_00)
    expect(await capture(id, 1_00)).toBe('hold_not_open')
  })

  test('is captured in several parts up to the last', async () => {
    const id = await approved(40_00)
    expect(await capture(id, 15_00, { final: false })).toBe('done')
    expect(await money()).toEqual({ balance: 85_00, available: 60_00 })
    expect(await listedLines()).toEqual([
      [-25_00, 'pending'],
      [-15_00, 'completed'],
    ])
    expect(await capture(id, 5_00, { final: false })).toBe('done')
    expect(await capture(id, 20_01)).toBe('hold_amount_exceeded')
    expect(await capture(id, 12_00)).toBe('done')
    expect(await money()).toEqual({ balance: 68_00, available: 68_00 })
    expect(new Set((await lines()).map(({ amountMinor }) => amountMinor))).toEqual(new Set([-12_00, -15_00, -5_00]))
    expect(await usedMinor()).toBe(32_00)
  })

  test('may be a fifth higher at a restaurant, and is shown as one payment', async () => {
    const restaurant = { merchant: { name: 'Noodle Lantern', mcc: '5812', country: 'US' } }
    const id = await approved(40_00, restaurant)
    expect(await capture(id, 48_01)).toBe('hold_amount_exceeded')
    expect(await capture(id, 48_00)).toBe('done')
    expect(await money()).toEqual({ balance: 52_00, available: 52_00 })
    const [line] = await lines()
    expect(line).toMatchObject({ amountMinor: -48_00, status: 'completed', category: 'food' })
    expect(line?.paymentMethod?.params).toMatchObject({ merchantKind: 'restaurant' })
    expect(await usedMinor()).toBe(48_00)
    const bookshop = await approved(10_00)
    expect(await capture(bookshop, 10_01)).toBe('hold_amount_exceeded')
    // The tip allowance of a fifth of a cent is rounded down to nothing.
    const little = await approved(4, restaurant)
    expect(await capture(little, 5)).toBe('hold_amount_exceeded')
  })

  test('is reversed, in part or whole, and the reversed amount is never booked', async () => {
    const id = await approved(40_00)
    expect(await reverse(id, { amountMinor: 10_00 })).toBe('done')
    expect(await money()).toEqual({ balance: 100_00, available: 70_00 })
    expect(await reverse(id, { amountMinor: 30_01 })).toBe('hold_amount_exceeded')
    expect(await reverse(id)).toBe('done')
    expect(await money()).toEqual({ balance: 100_00, available: 100_00 })
    expect(await usedMinor()).toBe(0)
    expect(await reverse(id)).toBe('hold_not_open')
    expect(await capture(id, 1)).toBe('hold_not_open')
  })

  test('is refunded, up to the captured amount', async () => {
    const id = await approved(40_00)
    expect(await refund(id, 1)).toBe('refund_too_large')
    await capture(id, 30_00)
    expect(await refund(id, 30_01)).toBe('refund_too_large')
    expect(await refund(id, 10_00)).toBe('done')
    expect((await lines())[0]).toMatchObject({
      name: lineNamed('Fieldnote Books'),
      amountMinor: 10_00,
      category: 'shopping',
    })
    const outcomes = await Promise.all([refund(id, 15_00), refund(id, 15_00)])
    expect(outcomes.toSorted()).toEqual(['done', 'refund_too_large'])
    expect(await refund(id, 5_00)).toBe('done')
    expect(await money()).toEqual({ balance: 100_00, available: 100_00 })
    expect((await notices()).filter(([kind]) => kind === 'card_refunded')).toHaveLength(3)
  })

  test('expires after seven days, and cannot be captured afterwards', async () => {
    const id = await approved(40_00)
    const paymentId = await approved(20_00)
    await capture(paymentId, 5_00, { final: false })
    clock.set(new Date(START.getTime() + 7 * DAY_MS - MINUTE_MS))
    await expirePaymentsJob.work(server.deps)
    expect((await money()).available).toBe(40_00)
    clock.set(new Date(START.getTime() + 7 * DAY_MS + 20 * MINUTE_MS))
    expect(await lateParts(server.deps)).toContain('card payments that were not captured in time')
    await Promise.all([expirePaymentsJob.work(server.deps), expirePaymentsJob.work(server.deps)])
    expect(await lateParts(server.deps)).not.toContain('card payments that were not captured in time')
    expect(await money()).toEqual({ balance: 95_00, available: 95_00 })
    expect(await capture(id, 40_00)).toBe('hold_not_open')
    expect(await capture(paymentId, 1_00)).toBe('hold_not_open')
    // The part captured before the end can be refunded.
    expect(await refund(paymentId, 5_00)).toBe('done')
  })

  test('of a removed card is refunded even if its customer closes at this moment', async () => {
    const id = await approved(10_00)
    expect(await capture(id, 10_00)).toBe('done')
    await setCard(`status = 'removed', removed_at = now()`)
    const closing = await server.deps.pool.connect()
    await closing.query('BEGIN')
    await closing.query('UPDATE bank.customer SET closed_at = now() WHERE id = $1', [ann.customer.id])
    await closing.query(`UPDATE ledger.account SET status = 'closed' WHERE holder_id = $1`, [ann.customer.id])
    const refunding = refund(id, 4_00)
    await new Promise((resolve) => setTimeout(resolve, 200))
    await closing.query('COMMIT')
    closing.release()
    expect(await refunding).toBe('done')
  })

  test('is released when the scheme reports that it has expired', async () => {
    const id = await approved(40_00)
    expect(await say(about('expire', id))).toBe('done')
    expect((await money()).available).toBe(100_00)
    expect(await say(about('expire', id))).toBe('hold_not_open')
  })

  test('gets its points once from the sweep if its server died before awarding them', async () => {
    const { add } = server.deps.paymentPoints
    Object.assign(server.deps.paymentPoints, { add: () => undefined })
    const id = await approved(40_00)
    await capture(id, 10_00, { final: false })
    await capture(id, 30_00)
    Object.assign(server.deps.paymentPoints, { add })
    expect(await points()).toBe(0)
    await Promise.all([sweepCapturesJob.work(server.deps), sweepCapturesJob.work(server.deps)])
    expect(await points()).toBe(5)
    // Recent places are swept again, because an earlier capture may still be committed. Older places are not.
    const sweptUntil = async () =>
      (await server.deps.db.selectFrom('bank.points_sweep').select('swept_captures').executeTakeFirstOrThrow())
        .swept_captures
    const before = await sweptUntil()
    clock.set(new Date(START.getTime() + 2 * MINUTE_MS))
    await sweepCapturesJob.work(server.deps)
    expect(await sweptUntil()).toBeGreaterThanOrEqual(before + 2)
    expect(await points()).toBe(5)
  })

  test('earns points once, and a refund takes them back', async () => {
    const id = await approved(40_00)
    await capture(id, 10_00, { final: false })
    await capture(id, 30_00)
    expect(await points()).toBe(5)
    const abroad = await approved(20_00, { merchant: { name: 'Café Alfama', mcc: '5814', country: 'PT' } })
    await capture(abroad, 20_00)
    expect(await points()).toBe(30)
    await refund(abroad, 20_00)
    expect(await points()).toBe(5)
    await refund(id, 1_00)
    expect(await points()).toBe(4)
    await refund(id, 39_00)
    expect(await points()).toBe(0)
  })
})

describe('a single-use card that has ended', () => {
  test('still shows its payment, which may be disputed, and refunds go to the current account', async () => {
    const single = { name: 'Concert', kind: 'single_use', limitMinor: 50_00, loadMinor: 50_00, asset: 'USD' }
    const { id }: { id: string } = await (await ann.browser.post('/api/v1/cards', single)).json()
    card = await plasticOf(server.deps, ann.customer.id, id)
    const payment = await approved(40_00)
    await capture(payment, 40_00)
    clock.set(new Date(START.getTime() + 11 * MINUTE_MS))
    await removeUsedCardsJob.work(server.deps)
    const readJson = async (path: string) => (await ann.browser.get(`/api/v1${path}`)).json()
    const activity = async () => (await readJson(`/cards/${id}/transactions`)).transactions as Transaction[]
    const before = await activity()
    expect(before.map(({ amountMinor }) => amountMinor)).toEqual([-10_00, -40_00, 50_00])
    const paidTransaction = before[1]
    expect(await readJson(`/transactions/${paidTransaction?.id}`)).toMatchObject({
      amountMinor: -40_00,
      status: 'completed',
    })
    expect(await readJson(`/transactions/${paidTransaction?.id}/dispute`)).toMatchObject({
      dispute: null,
      mayDispute: true,
    })
    expect(await refund(payment, 15_00)).toBe('done')
    expect((await money()).balance).toBe(75_00)
    expect(await activity()).toEqual(before)
    expect((await ann.transactions())[0]).toMatchObject({ amountMinor: 15_00, name: lineNamed('Fieldnote Books') })
    await auditTestBooks(server)
  })
})

describe('a payment that the scheme approved on the bank’s behalf', () => {
  const advise = (changes: Partial<PaymentMessage> = {}) => authorizationRequest(card, { type: 'advise', ...changes })

  test('is booked even if the bank would have declined it', async () => {
    await setCard(`status = 'frozen'`)
    const message = advise()
    expect(await say(message)).toBe('approved')
    expect(await money()).toEqual({ balance: 100_00, available: 60_00 })
    expect(await capture(message.authorisationId, 40_00)).toBe('done')
    expect((await money()).balance).toBe(60_00)
  })

  test('takes at most the available money, and a refund pays the remaining debt first', async () => {
    const before = await owedMinor()
    const message = advise({ amountMinor: 130_00 })
    expect(await say(message)).toBe('approved')
    expect(await money()).toEqual({ balance: 100_00, available: 0 })
    expect(await capture(message.authorisationId, 130_00)).toBe('done')
    expect(await money()).toEqual({ balance: 0, available: 0 })
    expect(await owedMinor()).toBe(before + 30_00)
    expect(await refund(message.authorisationId, 50_00)).toBe('done')
    expect(await money()).toEqual({ balance: 20_00, available: 20_00 })
    expect(await owedMinor()).toBe(before)
    const nothingLeft = advise({ amountMinor: 25_00 })
    await say(authorizationRequest(card, { amountMinor: 20_00 }))
    expect(await say(nothingLeft)).toBe('approved')
    await ann.fund(10_00)
    expect(await capture(nothingLeft.authorisationId, 25_00)).toBe('done')
    expect(await money()).toEqual({ balance: 20_00, available: 0 })
    expect(await owedMinor()).toBe(before + 15_00)
    await auditTestBooks(server)
  })

  test('counts toward the month up to the largest number, and never blocks the next payment', async () => {
    await server.deps.pool.query('INSERT INTO bank.card_month (card_id, month, used_minor) VALUES ($1, $2, $3)', [
      cardId,
      '2026-08-01',
      MAX_AMOUNT_MINOR - 1,
    ])
    for (let time = 0; time < 2; time += 1) expect(await say(advise({ amountMinor: 50_00 }))).toBe('approved')
    expect(await usedMinor()).toBe(MAX_AMOUNT_MINOR)
    expect(await pay()).toBe('month_maximum')
  })

  test('above the maximum is refused, and the next one is accepted', async () => {
    for (const amountMinor of [MAX_AMOUNT_MINOR, 1_000_000_000_001]) {
      expect((await sendCardMessage(server, advise({ amountMinor }))).status).toBeLessThan(500)
      expect(await usedMinor()).toBe(0)
    }
    // A separate shop, because a loss there blocks the shop for all cards.
    const merchant = { ...authorizationRequest(card).merchant, name: 'The Dearest Table', mcc: '5812' }
    const largestAdvice = advise({ amountMinor: 1_000_000_000_000, merchant })
    expect(await say(largestAdvice)).toBe('approved')
    expect(await say(advise({ amountMinor: 1_00 }))).toBe('approved')
    for (let part = 0; part < 4; part += 1) {
      const taking = about('capture', largestAdvice.authorisationId, {
        amountMinor: 1_000_000_000_000,
        asset: 'USD',
        final: false,
      })
      expect((await sendCardMessage(server, taking)).status).toBeLessThan(500)
    }
    await auditTestBooks(server)
  })

  test('replaces the bank’s decline, and is booked once', async () => {
    const message = authorizationRequest(card, { amountMinor: 100_01 })
    expect(await say(message)).toBe('insufficient_funds')
    await ann.fund(50_00)
    const advice = { ...message, type: 'advise', messageId: randomUUID() }
    expect(await say(advice)).toBe('approved')
    expect(await say({ ...advice, messageId: randomUUID() })).toBe('approved')
    expect(await say(advise({ messageId: advice.messageId }))).toBe('message_id_reused')
    expect((await money()).available).toBe(49_99)
  })

  test('is held for its days and counts toward its month from the advice on, if the bank had declined it', async () => {
    clock.set(new Date('2026-08-31T12:00:00.000Z'))
    const message = authorizationRequest(card, { amountMinor: 100_01 })
    expect(await say(message)).toBe('insufficient_funds')
    await ann.fund(50_00)
    clock.set(new Date('2026-09-08T12:00:00.000Z'))
    expect(await say({ ...message, type: 'advise', messageId: randomUUID() })).toBe('approved')
    await expirePaymentsJob.work(server.deps)
    expect((await money()).available).toBe(49_99)
    expect(await usedMinor()).toBe(100_01)
    expect(await capture(message.authorisationId, 90_00)).toBe('done')
    expect(await usedMinor()).toBe(90_00)
    expect(await readMonthUsage(server.deps, cardId, START)).toBe(0)
  })

  test('is booked in parts if the bank had declined it and its card was removed', async () => {
    const answer = await ann.browser.post('/api/v1/cards', {
      name: 'Trip',
      kind: 'multi_use',
      limitMinor: 100_00,
      asset: 'USD',
    })
    const { id }: { id: string } = await answer.json()
    const message = authorizationRequest(await plasticOf(server.deps, ann.customer.id, id))
    expect(await say(message)).toBe('insufficient_funds')
    expect((await ann.browser.post(`/api/v1/cards/${id}/removal`)).status).toBe(200)
    expect(await say({ ...message, type: 'advise', messageId: randomUUID() })).toBe('approved')
    expect(await capture(message.authorisationId, 15_00, { final: false })).toBe('done')
    expect(await money()).toEqual({ balance: 85_00, available: 60_00 })
    expect(await capture(message.authorisationId, 25_00)).toBe('done')
    expect(await money()).toEqual({ balance: 60_00, available: 60_00 })
  })

  test('of an unknown card is refused', async () => {
    const unknown = { ...card, number: '9999000000000000' }
    expect(await say(authorizationRequest(unknown, { type: 'advise' }))).toBe('not_found')
  })
})

describe('a payment is declined', () => {
  const cases: [reason: DeclineReason, ready: () => unknown, changes: Partial<PaymentMessage>][] = [
    ['card_removed', () => setCard(`status = 'removed', removed_at = now()`), {}],
    ['card_expired', () => clock.set(new Date('2029-01-01T00:00:00Z')), {}],
    ['card_frozen', () => setCard(`status = 'frozen'`), {}],
    ['blocked_category', () => null, { merchant: { name: 'Lucky Star', mcc: '7995', country: 'US' } }],
    ['abroad_off', () => setCard('abroad = false'), { merchant: { name: 'Café Alfama', mcc: '5814', country: 'PT' } }],
    ['online_off', () => setCard('online = false'), { entry: 'online' }],
    ['online_off', () => setCard('online = false'), { entry: 'recurring' }],
    ['contactless_off', () => setCard('contactless = false'), { entry: 'contactless' }],
    ['payment_limit', () => setCard('payment_limit_minor = 3999'), {}],
    ['month_limit', () => setCard('month_limit_minor = 3999'), {}],
    ['insufficient_funds', () => null, { amountMinor: 100_01 }],
  ]
  test.each(cases)('%s', async (reason, prepare, changes) => {
    await prepare()
    const before = await auditTestBooks(server)
    expect(await pay(changes)).toBe(reason)
    expect(await auditTestBooks(server)).toEqual(before)
    expect(await usedMinor()).toBe(0)
    expect(await notices()).toEqual([['card_declined', reason]])
  })

  test('for more than the bank’s limit for one payment or for a day', async () => {
    const { cards, limits } = server.deps.policy
    server.deps.policy.cards = { ...cards, paymentMinor: 30_00 }
    expect(await pay()).toBe('card_maximum')
    server.deps.policy.cards = { ...cards, monthMinor: 30_00 }
    expect(await pay()).toBe('month_maximum')
    server.deps.policy.cards = cards
    server.deps.policy.limits = { ...limits, out: { ...limits.out, dayMinor: 30_00 } }
    expect(await pay()).toBe('day_limit')
    server.deps.policy.limits = limits
    expect(await pay()).toBe('approved')
  })

  test('until the customer is verified, if the bank requires it', async () => {
    const { policy } = server.deps
    policy.unverifiedLimits = { outMinor: 1, inMinor: 1 }
    expect(await pay()).toBe('not_verified')
    policy.unverifiedLimits = null
    expect(await pay()).toBe('approved')
  })

  test('for a number that no card has, without revealing that', async () => {
    expect(await say(authorizationRequest({ ...card, number: '9999000000000000' }))).toBe('unknown_card')
    expect(await notices()).toEqual([])
  })

  test('for a wrong expiry date or CVV, and online without a CVV, except at a shop that stored the card', async () => {
    const { cvv: _, ...withoutCvv } = card
    expect(await say(authorizationRequest({ ...card, expiry: '11/28' }))).toBe('wrong_expiry')
    expect(await say(authorizationRequest({ ...card, cvv: card.cvv === '123' ? '124' : '123' }))).toBe('wrong_cvv')
    expect(await say({ ...authorizationRequest(card), card: withoutCvv })).toBe('wrong_cvv')
    expect(await say({ ...authorizationRequest(card, { entry: 'recurring' }), card: withoutCvv })).toBe('approved')
    expect(await say({ ...authorizationRequest(card, { entry: 'chip' }), card: withoutCvv })).toBe('approved')
  })

  test('online for an hour after five wrong guesses, even with the right CVV', async () => {
    const cardWithWrongCvv = { ...card, cvv: card.cvv === '123' ? '124' : '123' }
    for (let guess = 0; guess < 5; guess += 1)
      expect(await say(authorizationRequest(cardWithWrongCvv))).toBe('wrong_cvv')
    expect(await pay()).toBe('online_locked')
    expect(await pay({ entry: 'recurring' })).toBe('online_locked')
    expect(await say(authorizationRequest({ ...cardWithWrongCvv, expiry: '01/30' }, { entry: 'chip' }))).toBe(
      'wrong_expiry',
    )
    expect(await pay()).toBe('online_locked')
    expect(await pay({ entry: 'contactless', amountMinor: 1_00 })).toBe('approved')
    expect((await notices()).filter(([, reason]) => reason === 'online_locked')).toEqual([])
    realNow = new Date(START.getTime() + 61 * MINUTE_MS)
    expect(await pay()).toBe('approved')
  })

  test('at a till during the lock without revealing the CVV, and chip payments need none', async () => {
    const cardWithWrongCvv = { ...card, cvv: card.cvv === '123' ? '124' : '123' }
    const atTill = () => say(authorizationRequest(cardWithWrongCvv, { entry: 'chip', amountMinor: 1_00 }))
    expect(await atTill()).toBe('approved')
    for (let guess = 0; guess < 5; guess += 1)
      expect(await say(authorizationRequest(cardWithWrongCvv))).toBe('wrong_cvv')
    expect(await atTill()).toBe('approved')
  })

  test('for a second payment with a single-use card, also at the same moment', async () => {
    ;({ cardId, card } = await newCard({ kind: 'single_use', name: 'One' }))
    const outcomes = await Promise.all([pay({ amountMinor: 1_00 }), pay({ amountMinor: 1_00 })])
    expect(outcomes.toSorted()).toEqual(['approved', 'single_use_spent'])
  })
})

describe('simultaneous messages', () => {
  test('of 20 payments keep to a card’s monthly limit on every server', async () => {
    await ann.fund(1_000_00)
    await setCard('month_limit_minor = 10000')
    const otherServer = await peopleServer({
      clock,
      config: { cardSchemeSecret: SCHEME_SECRET, secret: server.deps.config.secret },
      beside: { database: server.database },
    })
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        outcomeOf(
          sendCardMessage(index % 2 ? server : otherServer, authorizationRequest(card, { amountMinor: 15_00 })),
        ),
      ),
    )
    await otherServer.close()
    expect(outcomes.filter((outcome) => outcome === 'approved')).toHaveLength(6)
    expect(outcomes.filter((outcome) => outcome === 'month_limit')).toHaveLength(14)
    expect(await usedMinor()).toBe(90_00)
    expect((await money()).available).toBe(1_010_00)
  })

  test('of 20 payments of two cards on one account never overdraw it', async () => {
    const second = await newCard({ kind: 'multi_use', name: 'Second' })
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        say(authorizationRequest(index % 2 ? card : second.card, { amountMinor: 15_00 })),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'approved')).toHaveLength(6)
    expect(await money()).toEqual({ balance: 100_00, available: 10_00 })
  })

  test('capture one payment once', async () => {
    const id = await approved(40_00)
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => capture(id, 40_00)))
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
    expect((await money()).balance).toBe(60_00)
  })

  test('of captures, reversals, refunds and expiry leave the books balanced', async () => {
    await ann.fund(400_00)
    const ids = await Promise.all(Array.from({ length: 10 }, () => approved(40_00)))
    await Promise.all(
      ids.flatMap((id, index) => [
        capture(id, 10_00 + index, { final: index % 2 === 0 }),
        reverse(id, { amountMinor: 5_00 }),
        refund(id, 3_00),
        say(authorizationRequest(card, { amountMinor: 7_00 })),
        ...(index % 3 === 0 ? [say(about('expire', id))] : []),
      ]),
    )
    await auditTestBooks(server)
    const { rows } = await server.deps.pool.query(
      `SELECT sum(held_minor)::int AS held, sum(captured_minor - refunded_minor)::int AS paid
         FROM bank.card_authorisation WHERE card_id = $1`,
      [cardId],
    )
    expect(await money()).toEqual({ balance: 500_00 - rows[0].paid, available: 500_00 - rows[0].paid - rows[0].held })
  })
})

describe('a message', () => {
  test('is processed once: a repetition gets the same answer, and another message with its id is refused', async () => {
    const question = authorizationRequest(card)
    const answers = await Promise.all(Array.from({ length: 8 }, () => say(question)))
    expect(new Set(answers)).toEqual(new Set(['approved']))
    expect((await money()).available).toBe(60_00)
    expect(await say({ ...question, amountMinor: 41_00 })).toBe('message_id_reused')
    const captureMessage = about('capture', question.authorisationId, { amountMinor: 40_00, asset: 'USD' })
    expect(await say(captureMessage)).toBe('done')
    expect(await say(captureMessage)).toBe('done')
    expect(await say({ ...captureMessage, amountMinor: 39_00 })).toBe('message_id_reused')
    expect((await money()).balance).toBe(60_00)
  })

  test('that was refused is refused again, even if the payment has changed since', async () => {
    const id = await approved(40_00)
    const early = about('refund', id, { amountMinor: 5_00, asset: 'USD' })
    expect(await say(early)).toBe('refund_too_large')
    await capture(id, 40_00)
    expect(await say(early)).toBe('refund_too_large')
    expect((await money()).balance).toBe(60_00)
  })

  test('for a repeated payment gets the same answer, and another payment with its id is refused', async () => {
    const question = authorizationRequest(card)
    expect(await say(question)).toBe('approved')
    expect(await say({ ...question, messageId: randomUUID() })).toBe('approved')
    expect(await say({ ...question, messageId: randomUUID(), amountMinor: 41_00 })).toBe('message_id_reused')
    expect((await money()).available).toBe(60_00)
  })

  test('with one id for two cards at once is accepted for one of them', async () => {
    const second = await newCard({ kind: 'multi_use', name: 'Second' })
    const messageId = randomUUID()
    const outcomes = await Promise.all([
      say(authorizationRequest(card, { messageId })),
      say(authorizationRequest(second.card, { messageId })),
    ])
    expect(outcomes.toSorted()).toEqual(['approved', 'message_id_reused'])
  })

  test('about a payment that is unknown or declined is refused', async () => {
    const question = authorizationRequest(card, { amountMinor: 100_01 })
    await say(question)
    for (const id of [randomUUID(), question.authorisationId]) {
      expect(await capture(id, 1)).toBe('not_found')
      expect(await reverse(id)).toBe('not_found')
      expect(await refund(id, 1)).toBe('not_found')
      expect(await say(about('expire', id))).toBe('not_found')
    }
  })

  test('is stored without the card’s number or CVV, and deleted after 90 days', async () => {
    const question = authorizationRequest(card)
    await say(question)
    const { rows } = await server.deps.pool.query(`SELECT m::text AS text FROM bank.card_message m
      UNION ALL SELECT a::text FROM bank.card_authorisation a`)
    for (const { text } of rows) {
      expect(text).not.toContain(card.number)
      expect(text).not.toContain('"cvv"')
    }
    realNow = new Date(START.getTime() + 91 * DAY_MS)
    await purgeMessagesJob.work(server.deps)
    expect((await server.deps.pool.query('SELECT FROM bank.card_message')).rowCount).toBe(0)
    realNow = START
    expect(await say(question)).toBe('approved')
    expect((await money()).available).toBe(60_00)
  })

  test('with a duplicate key in any spelling is refused, because parsers could read different amounts', async () => {
    const text = JSON.stringify(authorizationRequest(card))
    for (const [repeatedKeyBody, field] of [
      [text.replace('"amountMinor"', '"amountMinor":1,"amountMinor"'), 'amountMinor'],
      [text.replace('"amountMinor"', String.raw`"\u0061mountMinor":1,"amountMinor"`), 'amountMinor'],
      [text.replace('"mcc"', '"mcc":"5411","mcc"'), 'mcc'],
    ] as const)
      await expectRefusal(await sendCardMessage(server, null, { body: repeatedKeyBody }), 'request_invalid', field)
    expect(await say(null, { body: text })).toBe('approved')
  })

  test('is refused with a bad signature, or if it is old or early, and the response reveals no reason', async () => {
    const before = await auditTestBooks(server)
    expect(await say(authorizationRequest(card), { secret: 'somebody else’s secret' })).toBe('signature_refused')
    expect(await say(authorizationRequest(card), { at: new Date(START.getTime() - 5 * MINUTE_MS - 1_000) })).toBe(
      'signature_refused',
    )
    expect(await say(authorizationRequest(card), { at: new Date(START.getTime() + 5 * MINUTE_MS + 1_000) })).toBe(
      'signature_refused',
    )
    expect(await say(null, { body: 'no JSON', secret: 'wrong' })).toBe('signature_refused')
    const unsigned = await fetch(`${server.url}/hooks/cards`, { method: 'POST', body: '{}' })
    expect(await outcomeOf(unsigned)).toBe('signature_refused')
    expect(await auditTestBooks(server)).toEqual(before)
  })

  const invalidChanges: [name: string, change: object | string, code: string][] = [
    ['an amount of 0', { amountMinor: 0 }, 'amount_invalid'],
    ['a negative amount', { amountMinor: -1 }, 'amount_invalid'],
    ['an amount of 2^53', { amountMinor: 2 ** 53 }, 'amount_invalid'],
    ['half a cent', { amountMinor: 0.5 }, 'amount_invalid'],
    ['another currency', { asset: 'BTC' }, 'request_invalid'],
    ['an unknown field', { more: 1 }, 'request_invalid'],
    ['an unknown type', { type: 'steal' }, 'request_invalid'],
    ['no name', { messageId: '' }, 'request_invalid'],
    ['a name with a line feed', { messageId: 'a\nb' }, 'request_invalid'],
    ['a merchant without text', { merchant: { name: '\u0000', mcc: '5942', country: 'US' } }, 'request_invalid'],
    ['an invalid MCC', { merchant: { name: 'Shop', mcc: '59421', country: 'US' } }, 'request_invalid'],
    ['invalid JSON', 'no JSON', 'request_invalid'],
    ['a list', '[]', 'request_invalid'],
    ['nothing', '', 'request_invalid'],
    ['10 MB', 'x'.repeat(10_000_000), 'request_too_large'],
  ]
  test.each(invalidChanges)('with %s is refused', async (_name, change, code) => {
    const before = await auditTestBooks(server)
    const outcome =
      typeof change === 'string'
        ? await say(null, { body: change })
        : await say({ ...authorizationRequest(card), ...change })
    expect(outcome).toBe(code)
    expect(await auditTestBooks(server)).toEqual(before)
  })

  test('is not found in a bank without a card scheme', async () => {
    const bare = await peopleServer({ beside: { database: server.database } })
    expect((await sendCardMessage(bare, authorizationRequest(card))).status).toBe(404)
    await bare.close()
  })
})

test('the customer’s download has their card payments, including the declined ones', async () => {
  await approved(40_00)
  await pay({ amountMinor: 500_00 })
  const download = (await (await ann.browser.get('/api/v1/profile/export')).json()) as { cardPayments: unknown[] }
  expect(download.cardPayments).toMatchObject([
    { status: 'declined', reason: 'insufficient_funds', amountMinor: 500_00 },
    { status: 'held', merchant: 'Fieldnote Books', presented: 'online', country: 'US' },
  ])
})
