import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { InvestmentOrder } from '#contract/investing.ts'
import { unitsFor } from '#contract/markets.ts'
import { fundPlans } from '#server/investing/plans/plan.ts'
import { runJob, sweepJob } from '#server/investing/runs.ts'
import { overdueOrdersOf, sweepOrdersJob } from '#server/standing-orders/running.ts'
import { nextPricing } from '#server/markets/feed/pricing-hours.ts'
import { generatedPrice } from '#server/markets/feed/generator.ts'
import { runOn } from '#server/platform/db/run.ts'
import { testClock } from '#server/test/bank.ts'
import { type Investor, investorOf } from '#server/test/investor.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'

/** A Friday morning. */
const START = new Date('2026-08-28T09:41:00.000Z')

const clock = { ...testClock(START), realNow: () => START }
let server: PeopleServer
let ann: TestPerson
let investor: Investor
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
  // Cancels the orders left by the previous test.
  await runOn(server.deps.pool)(`UPDATE bank.standing_order SET status = 'cancelled'`)
  round += 1
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  investor = investorOf(ann)
  await investor.prepare()
})

const monthly = (changes: object = {}) => ({
  fund: 'FUND_BALANCED',
  amountMinor: 100_00,
  asset: 'USD',
  every: 'month',
  startsOn: '2026-08-31',
  ...changes,
})

async function onDay(moment: string): Promise<void> {
  clock.set(new Date(moment))
  await sweepOrdersJob.work(server.deps)
  await sweepJob.work(server.deps)
}

async function everyOrder(): Promise<InvestmentOrder[]> {
  const { orders } = await investor.history('?limit=100')
  const { orders: pending } = await investor.portfolio()
  return [...pending, ...orders].toReversed()
}

/** Checks that an order was filled at the first price after its placement, even if the bank filled it later. */
function expectPunctual(order: InvestmentOrder): void {
  const pricedAt = nextPricing(new Date(order.placedAt))
  const priceMicros = generatedPrice(order.fund, pricedAt)
  expect(order).toMatchObject({ status: 'filled', pricedAt: pricedAt.toISOString(), priceMicros })
  expect(order.unitsMinor).toBe(unitsFor(order.fund, 100_00 - 25, priceMicros))
}

test('each date places an order, which is filled at that afternoon’s price', async () => {
  await ann.fund(250_00)
  const plan = await investor.plan(monthly())
  expect(plan).toMatchObject({ nextOn: '2026-08-31', dueOn: '2026-08-31', status: 'active' })
  await onDay('2026-08-31T05:59:00Z')
  expect(await everyOrder()).toEqual([])
  expect(await overdueOrdersOf(fundPlans).overdueSince(server.deps)).toBeNull()
  clock.set(new Date('2026-08-31T06:30:00Z'))
  expect(await overdueOrdersOf(fundPlans).overdueSince(server.deps)).toEqual(new Date('2026-08-31T06:00:00Z'))
  await onDay('2026-08-31T06:30:00Z')
  expect(await everyOrder()).toMatchObject([
    { status: 'pending', planId: plan.id, placedAt: '2026-08-31T06:00:00.000Z' },
  ])
  expect((await investor.portfolio()).plans).toMatchObject([{ id: plan.id, nextOn: '2026-09-30' }])
  await onDay('2026-08-31T16:00:00Z')
  for (const order of await everyOrder()) expectPunctual(order)
  expect(await ann.balanceMinor()).toBe(150_00)
})

test('two years later every date was invested once, each at its own price', async () => {
  await ann.fund(10_000_00)
  await investor.plan(monthly())
  await investor.plan(monthly({ fund: 'FUND_AGGRESSIVE', every: 'week', startsOn: '2028-05-05' }))
  clock.set(new Date('2028-08-28T09:41:00Z'))
  const customerId = ann.customer.id
  // Simulates two servers and the sweeps at the same time.
  await Promise.all([
    runJob.work(server.deps, { customerId }),
    runJob.work(server.deps, { customerId }),
    sweepOrdersJob.work(server.deps),
    sweepJob.work(server.deps),
  ])
  await sweepOrdersJob.work(server.deps)
  await sweepJob.work(server.deps)
  const orders = await everyOrder()
  for (const order of orders) expectPunctual(order)
  // 24 month ends from August 2026 to July 2028, and 17 Fridays from May 5 to August 25, 2028.
  expect(orders.filter(({ fund }) => fund === 'FUND_BALANCED')).toHaveLength(24)
  expect(orders.filter(({ fund }) => fund === 'FUND_AGGRESSIVE')).toHaveLength(17)
  expect(new Set(orders.map(({ placedAt, fund }) => `${fund} ${placedAt}`)).size).toBe(41)
  const { portfolio, value } = {
    portfolio: await investor.portfolio(),
    value: await investor.read<{ points: { valueMinor: number; investedMinor: number }[] }>('/value?range=all'),
  }
  expect(portfolio).toMatchObject({ investedMinor: 41 * 100_00, returns: { annualised: true } })
  expect(await ann.balanceMinor()).toBe(10_000_00 - 41 * 100_00)
  expect(value.points.at(-1)).toMatchObject({ valueMinor: portfolio.valueMinor, investedMinor: 41 * 100_00 })
  expect(value.points.length).toBeLessThanOrEqual(93)
  await auditTestBooks(server)
})

test('a date without enough money is skipped with a notice, and the next date is not', async () => {
  await ann.fund(150_00)
  await investor.plan(monthly())
  await onDay('2026-10-05T10:00:00Z')
  expect(await everyOrder()).toHaveLength(1)
  const { notices } = await (await ann.browser.get('/api/v1/notifications')).json()
  expect(notices).toContainEqual(
    expect.objectContaining({
      kind: 'investment_skipped',
      params: { fund: 'FUND_BALANCED', amountMinor: 100_00, asset: 'USD', reason: 'funds' },
    }),
  )
  await ann.fund(100_00)
  await onDay('2026-11-05T10:00:00Z')
  expect((await everyOrder()).map(({ placedAt }) => placedAt.slice(0, 10))).toEqual(['2026-08-31', '2026-11-02'])
})

test('answers that no longer suit a fund stop its plan: dates are skipped with a notice, and it cannot be resumed', async () => {
  await ann.fund(1_000_00)
  const bold = { horizon: 'over_five_years', loss: 'buy_more', reserves: 'over_six_months' } as const
  const careful = { horizon: 'under_two_years', loss: 'sell', reserves: 'under_three_months' } as const
  const plan = await investor.plan(monthly({ fund: 'FUND_AGGRESSIVE' }))
  const newPlan = await investor.plan(monthly({ fund: 'FUND_AGGRESSIVE', acceptsMismatch: true }))
  // A purchase that was due before the new answers uses the earlier ones.
  clock.set(new Date('2026-08-31T17:00:00Z'))
  await investor.prepare(careful)
  expect(await everyOrder()).toHaveLength(2)

  await onDay('2026-10-01T17:00:00Z')
  expect((await everyOrder()).map(({ planId }) => planId).filter((id) => id === plan.id)).toHaveLength(1)
  expect((await everyOrder()).map(({ planId }) => planId).filter((id) => id === newPlan.id)).toHaveLength(2)
  const { notices } = await (await ann.browser.get('/api/v1/notifications')).json()
  const params = { fund: 'FUND_AGGRESSIVE', amountMinor: 100_00, asset: 'USD', reason: 'unsuitable' }
  expect(notices).toContainEqual(expect.objectContaining({ kind: 'investment_skipped', params }))

  expect((await investor.send(`/plans/${plan.id}/pause`)).status).toBe(200)
  await expectRefusal(await investor.send(`/plans/${plan.id}/resume`), 'unsuitable_fund', 'fund')
  await investor.prepare(bold)
  expect((await investor.send(`/plans/${plan.id}/resume`)).status).toBe(200)
})

test('a plan created after the day’s price was published is filled at the next price', async () => {
  await ann.fund(150_00)
  clock.set(new Date('2026-08-28T17:00:00Z'))
  await investor.plan(monthly({ startsOn: '2026-08-28' }))
  await onDay('2026-08-31T16:00:00Z')
  const [order] = await everyOrder()
  expect(order).toMatchObject({ placedAt: '2026-08-28T17:00:00.000Z', pricedAt: '2026-08-31T16:00:00.000Z' })
})

test('a paused plan skips its dates, and a canceled plan never continues', async () => {
  await ann.fund(1_000_00)
  const { id } = await investor.plan(monthly())
  const post = async (action: string) => (await investor.send(`/plans/${id}/${action}`)).json()
  expect(await post('pause')).toMatchObject({ plan: { status: 'paused' } })
  expect(await post('pause')).toMatchObject({ plan: { status: 'paused' } })
  await onDay('2026-10-15T10:00:00Z')
  expect(await everyOrder()).toEqual([])
  expect(await post('resume')).toMatchObject({ plan: { status: 'active', nextOn: '2026-10-31', dueOn: '2026-11-02' } })
  expect(await post('resume')).toMatchObject({ plan: { status: 'active', nextOn: '2026-10-31' } })
  await onDay('2026-11-02T10:00:00Z')
  expect(await everyOrder()).toHaveLength(1)
  expect(await post('cancel')).toMatchObject({ plan: { status: 'cancelled' } })
  expect(await post('cancel')).toMatchObject({ plan: { status: 'cancelled' } })
  await expectRefusal(await investor.send(`/plans/${id}/resume`), 'plan_over')
  await expectRefusal(await investor.send(`/plans/${id}/pause`), 'plan_over')
  await onDay('2027-02-15T10:00:00Z')
  expect(await everyOrder()).toHaveLength(1)
  expect((await investor.portfolio()).plans).toEqual([])
})

test.each(['pause', 'cancel'])(
  '%s takes effect after the due dates, so that a late job gives customers no choice',
  async (action) => {
    await ann.fund(1_000_00)
    const { id } = await investor.plan(monthly())
    clock.set(new Date('2026-10-01T20:00:00Z'))
    const answers = await Promise.all(Array.from({ length: 4 }, () => investor.send(`/plans/${id}/${action}`)))
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
    const orders = await everyOrder()
    expect(orders.map(({ placedAt }) => placedAt.slice(0, 10))).toEqual(['2026-08-31', '2026-09-30'])
    for (const order of orders) expectPunctual(order)
    await onDay('2026-12-15T10:00:00Z')
    expect(await everyOrder()).toHaveLength(2)
    expect(await ann.balanceMinor()).toBe(800_00)
  },
)

test.each([
  ['yesterday', { startsOn: '2026-08-27' }, 'schedule_date_invalid', 'startsOn'],
  ['no date', { startsOn: '2026-02-30' }, 'schedule_date_invalid', 'startsOn'],
  ['less than ten dollars', { amountMinor: 9_99 }, 'investment_too_small', 'amountMinor'],
  ['zero', { amountMinor: 0 }, 'amount_invalid', 'amountMinor'],
  ['more than the maximum amount', { amountMinor: 1_000_000_01 }, 'amount_too_large', 'amountMinor'],
  ['a daily interval', { every: 'day' }, 'request_invalid', 'every'],
] as const)('a plan is refused: %s', async (_what, changes, code, field) => {
  await expectRefusal(await investor.send('/plans', monthly(changes)), code, field)
  expect((await investor.portfolio()).plans).toEqual([])
})

test('a customer has at most ten plans, and one per key', async () => {
  const key = randomUUID()
  const answers = await Promise.all(Array.from({ length: 8 }, () => investor.send('/plans', monthly(), key)))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
  expect((await investor.portfolio()).plans).toHaveLength(1)
  const more = await Promise.all(Array.from({ length: 12 }, () => investor.send('/plans', monthly())))
  expect(more.filter(({ status }) => status === 200)).toHaveLength(9)
  await expectRefusal(await investor.send('/plans', monthly()), 'plans_full')
})

test('a plan is refused without answers, or with too much risk', async () => {
  const bob = investorOf(await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` }))
  await expectRefusal(await bob.send('/plans', monthly()), 'suitability_needed')
  await bob.prepare({ horizon: 'under_two_years', loss: 'wait', reserves: 'over_six_months' })
  await expectRefusal(await bob.send('/plans', monthly()), 'unsuitable_fund', 'fund')
  expect((await bob.send('/plans', monthly({ acceptsMismatch: true }))).status).toBe(200)
})

test('upcoming payments list each date, and a closed customer has none', async () => {
  await ann.fund(500_00)
  await investor.plan(monthly({ every: 'week', startsOn: '2026-09-05' }))
  const { upcoming } = await ann.dashboard()
  expect(upcoming?.next.slice(0, 2)).toMatchObject([
    { kind: 'investment', name: 'FUND_BALANCED', amountMinor: 100_00, dueOn: '2026-09-08' },
    { kind: 'investment', dueOn: '2026-09-14' },
  ])
  const transferRequest = { recipient: 'ann1@example.com', amountMinor: 500_00, asset: 'USD' }
  expect((await ann.browser.post('/api/v1/transfers', transferRequest)).status).toBe(200)
  expect((await ann.browser.post('/api/v1/profile/closure', {})).status).toBe(204)
  await onDay('2026-12-01T10:00:00Z')
  const { rows } = await runOn(server.deps.pool)('SELECT status FROM bank.standing_order WHERE customer_id = $1', [
    ann.customer.id,
  ])
  expect(rows).toEqual([{ status: 'cancelled' }])
})
