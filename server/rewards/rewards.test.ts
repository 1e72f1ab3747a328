import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Redemption, Rewards } from '#contract/rewards-api.ts'
import { REWARDS, type Reward } from '#contract/rewards.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { runOn } from '#server/platform/db/run.ts'
import { earnPoints } from '#server/rewards/earning.ts'
import { findCollector } from '#server/rewards/collectors.ts'
import { renewPremiumJob } from '#server/rewards/renewal.ts'
import { testClock } from '#server/test/bank.ts'
import { auditTestBooks, expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'

const START = new Date('2026-01-31T12:00:00Z')
const clock = testClock(START)
const PRICE = 9_99

let server: PeopleServer
let people = 0

beforeAll(async () => {
  server = await peopleServer({ clock: { ...clock, realNow: () => START } })
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})
beforeEach(() => clock.set(START))

const setDay = (day: string) => clock.set(new Date(`${day}T12:00:00Z`))

async function somebody({ points = 0, cents = 0 } = {}): Promise<TestPerson> {
  people += 1
  const person = await server.person({ fullName: `Person ${people}`, email: `person.${people}@example.com` })
  if (cents > 0) await person.fund(cents)
  if (points > 0) await give(person, points)
  return person
}

async function give({ customer }: TestPerson, amountMinor: number): Promise<void> {
  const { accountId: credit } = await findCollector(server.deps, customer.id)
  const debit = bankAccount('points_issued', 'POINTS')
  const legs = [{ kind: 'transfer' as const, debit, credit, amountMinor }]
  await server.deps.ledger.post({
    id: randomUUID(),
    kind: 'rewards.test',
    fingerprint: 'test',
    bookedAt: clock.businessNow(),
    legs,
  })
}

const readRewards = async ({ browser }: TestPerson): Promise<Rewards> =>
  (await browser.get('/api/v1/rewards')).json() as Promise<Rewards>
const redeem = ({ browser }: TestPerson, reward: unknown, key: string = randomUUID()) =>
  browser.post('/api/v1/rewards/redemptions', { reward }, { key })
const upgrade = ({ browser }: TestPerson, key: string = randomUUID(), priceMinor = PRICE) =>
  browser.post('/api/v1/rewards/premium', { priceMinor, asset: 'USD' }, { key })
const cancel = ({ browser }: TestPerson) => browser.post('/api/v1/rewards/premium/cancel')
const resume = ({ browser }: TestPerson) => browser.post('/api/v1/rewards/premium/resume')
const notices = async ({ customer }: TestPerson): Promise<unknown[]> => {
  const { rows } = await runOn(server.deps.pool)(
    'SELECT kind FROM bank.notification WHERE customer_id = $1 ORDER BY created_at, id',
    [customer.id],
  )
  return rows.map(({ kind }) => kind)
}

async function earnByCard({ customer: { id: customerId } }: TestPerson): Promise<void> {
  const payment = { amountMinor: 20_00, name: 'Fern & Loaf', abroad: false }
  await earnPoints(server.deps, [
    { kind: 'card', causeId: randomUUID(), customerId, at: clock.businessNow(), ...payment },
  ])
}

test('a new customer has no points and no available rewards', async () => {
  const ann = await somebody()
  const rewards = await readRewards(ann)
  expect(rewards).toMatchObject({ points: 0, owedPoints: 0, tier: { points: 0, target: 5_000 } })
  expect(rewards.premium).toMatchObject({ status: 'none', priceMinor: PRICE })
  expect(rewards.catalogue.map(({ reward, points, available }) => [reward, points, available])).toEqual([
    ['cashback', 1_000, false],
    ['premium_month', 2_500, false],
    ['voucher', 5_000, false],
    ['lounge', 3_500, false],
  ])
  const { lines } = await (await ann.browser.get('/api/v1/rewards/history')).json()
  expect(lines).toEqual([])
})

test('the available rewards depend on the points', async () => {
  const ann = await somebody({ points: 2_450 })
  const available = async () =>
    (await readRewards(ann)).catalogue.filter((reward) => reward.available).map(({ reward }) => reward as string)
  expect(await available()).toEqual(['cashback'])
  await give(ann, 50)
  expect(await available()).toEqual(['cashback', 'premium_month'])
})

test('cashback takes 1,000 points and pays $10.00 in one operation', async () => {
  const ann = await somebody({ points: 2_450 })
  const answer = await redeem(ann, 'cashback')
  expect(answer.status).toBe(200)
  const { id } = (await answer.json()) as Redemption
  expect(await readRewards(ann)).toMatchObject({ points: 1_450, tier: { points: 2_450 } })
  expect(await ann.balanceMinor()).toBe(10_00)
  const { rows } = await runOn(server.deps.pool)(
    'SELECT asset, amount_minor FROM ledger.transfer WHERE operation_id = $1 ORDER BY leg',
    [id],
  )
  expect(rows).toEqual([
    { asset: 'POINTS', amount_minor: 1_000 },
    { asset: 'USD', amount_minor: 10_00 },
  ])
  expect((await ann.transactions())[0]).toMatchObject({ name: { code: 'rewards.cashback' }, amountMinor: 10_00 })
  const { lines } = await (await ann.browser.get('/api/v1/rewards/history?limit=1')).json()
  expect(lines).toMatchObject([{ label: 'points.cashback', points: -1_000 }])
})

test('simultaneous redemptions with points for one give one', async () => {
  const ann = await somebody({ points: 1_999 })
  const answers = await Promise.all(Array.from({ length: 6 }, () => redeem(ann, 'cashback')))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422, 422, 422, 422])
  expect((await readRewards(ann)).points).toBe(999)
  expect(await ann.balanceMinor()).toBe(10_00)
})

test('a repeated request gets the same response, also on a later day and without the points', async () => {
  const ann = await somebody({ points: 5_000 })
  const key = randomUUID()
  const [first, twin] = await Promise.all([redeem(ann, 'voucher', key), redeem(ann, 'voucher', key)])
  const body = await first.json()
  expect(await twin.json()).toEqual(body)
  setDay('2026-03-01')
  expect(await (await redeem(ann, 'voucher', key)).json()).toEqual(body)
  expect((await readRewards(ann)).points).toBe(0)
  await expectRefusal(await redeem(ann, 'lounge', key), 'idempotency_key_reused')
})

test('too many points and an unknown reward are refused and change nothing', async () => {
  const ann = await somebody({ points: 999, cents: 5_00 })
  const before = await auditTestBooks(server)
  await expectRefusal(await redeem(ann, 'cashback'), 'points_short')
  await expectRefusal(await redeem(ann, 'yacht'), 'request_invalid', 'reward')
  await expectRefusal(await redeem(ann, '__proto__'), 'request_invalid', 'reward')
  await expectRefusal(await upgrade(ann), 'insufficient_funds')
  await expectRefusal(await upgrade(ann, randomUUID(), 1), 'price_changed', 'priceMinor')
  await expectRefusal(await cancel(ann), 'premium_off')
  await expectRefusal(await resume(ann), 'premium_off')
  expect(await auditTestBooks(server)).toEqual(before)
  expect((await readRewards(ann)).premium.status).toBe('none')
})

test('a partner’s reward is a code that is marked as a sample, and belongs to its customer only', async () => {
  const [ann, bob] = [await somebody({ points: 8_500 }), await somebody()]
  const voucher = (await (await redeem(ann, 'voucher')).json()) as Redemption
  clock.set(new Date(START.getTime() + 1000))
  const lounge = (await (await redeem(ann, 'lounge')).json()) as Redemption
  expect(voucher).toMatchObject({ reward: 'voucher', points: 5_000, isSample: true })
  expect(voucher.code).toMatch(/^SAMPLE(-[2-9A-HJ-NP-Z]{4}){3}$/)
  const codes = async ({ browser }: TestPerson) => (await (await browser.get('/api/v1/rewards/codes')).json()).codes
  expect(await codes(ann)).toEqual([lounge, voucher])
  expect(await codes(bob)).toEqual([])
})

test('Premium charges its price and doubles points from that moment, and simultaneous upgrades charge once', async () => {
  const ann = await somebody({ cents: 50_00 })
  await earnByCard(ann)
  clock.set(new Date(START.getTime() + 1000))
  const answers = await Promise.all(Array.from({ length: 5 }, () => upgrade(ann)))
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409])
  expect(await ann.balanceMinor()).toBe(50_00 - PRICE)
  await earnByCard(ann)
  expect(await readRewards(ann)).toMatchObject({
    points: 15,
    premium: { status: 'renews', until: '2026-02-28T12:00:01.000Z' },
  })
  expect((await ann.transactions())[0]).toMatchObject({ name: { code: 'rewards.premium' }, amountMinor: -PRICE })
})

test('a repeated upgrade gets the same response', async () => {
  const ann = await somebody({ cents: 50_00 })
  const key = randomUUID()
  expect((await upgrade(ann, key)).status).toBe(200)
  expect((await upgrade(ann, key)).status).toBe(200)
  expect(await ann.balanceMinor()).toBe(50_00 - PRICE)
})

test('Premium renews each month on its date, once, and makes up for a missed month', async () => {
  const ann = await somebody({ cents: 100_00 })
  await upgrade(ann)
  const renew = () => Promise.all([renewPremiumJob.work(server.deps), renewPremiumJob.work(server.deps)])
  await renew()
  expect(await ann.balanceMinor()).toBe(100_00 - PRICE)
  setDay('2026-02-28')
  await renew()
  await renew()
  expect(await ann.balanceMinor()).toBe(100_00 - 2 * PRICE)
  expect((await readRewards(ann)).premium.until).toBe('2026-03-31T12:00:00.000Z')
  setDay('2026-05-01')
  await renew()
  expect(await ann.balanceMinor()).toBe(100_00 - 4 * PRICE)
  expect((await readRewards(ann)).premium.until).toBe('2026-05-31T12:00:00.000Z')
})

test('canceled Premium stays until the end of the paid period, and canceling twice is refused', async () => {
  const ann = await somebody({ cents: 50_00 })
  await upgrade(ann)
  const answers = await Promise.all([cancel(ann), cancel(ann)])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  await expectRefusal(await cancel(ann), 'premium_cancelled')
  await expectRefusal(await upgrade(ann), 'premium_on')
  await earnByCard(ann)
  expect(await readRewards(ann)).toMatchObject({ points: 10, premium: { status: 'ends' } })
  expect((await resume(ann)).status).toBe(200)
  await expectRefusal(await resume(ann), 'premium_on')
  expect((await cancel(ann)).status).toBe(200)
  setDay('2026-02-28')
  expect((await readRewards(ann)).premium.status).toBe('none')
  await earnByCard(ann)
  expect((await readRewards(ann)).points).toBe(15)
  for (let run = 0; run < 2; run += 1) await renewPremiumJob.work(server.deps)
  expect(await ann.balanceMinor()).toBe(50_00 - PRICE)
  expect(await notices(ann)).toEqual(['premium_ended'])
  expect((await upgrade(ann)).status).toBe(200)
})

test('without enough money Premium sends one notice, retries daily without doubling, and ends or continues when it is paid', async () => {
  const [ann, bob] = [await somebody({ cents: PRICE }), await somebody({ cents: PRICE })]
  await Promise.all([upgrade(ann), upgrade(bob)])
  for (const day of ['2026-02-28', '2026-03-01']) {
    setDay(day)
    await Promise.all([renewPremiumJob.work(server.deps), renewPremiumJob.work(server.deps)])
  }
  expect(await notices(ann)).toEqual(['premium_short'])
  expect((await readRewards(ann)).premium).toMatchObject({ status: 'short', triesAt: '2026-03-02T12:00:00.000Z' })
  await earnByCard(ann)
  expect((await readRewards(ann)).points).toBe(5)
  await bob.fund(PRICE)
  for (const day of ['2026-03-02', '2026-03-03', '2026-03-04']) {
    setDay(day)
    await renewPremiumJob.work(server.deps)
  }
  expect(await notices(ann)).toEqual(['premium_short', 'premium_ended'])
  expect((await readRewards(ann)).premium.status).toBe('none')
  expect((await readRewards(bob)).premium).toMatchObject({ status: 'renews', until: '2026-04-02T12:00:00.000Z' })
  expect([await ann.balanceMinor(), await bob.balanceMinor()]).toEqual([0, 0])
})

test('a month bought with points extends the current period, or ends by itself', async () => {
  const [ann, bob] = [await somebody({ points: 2_500, cents: 50_00 }), await somebody({ points: 2_500 })]
  await upgrade(ann)
  await redeem(ann, 'premium_month')
  expect((await readRewards(ann)).premium).toMatchObject({ status: 'renews', until: '2026-03-31T12:00:00.000Z' })
  await redeem(bob, 'premium_month')
  expect((await readRewards(bob)).premium).toMatchObject({ status: 'ends', until: '2026-02-28T12:00:00.000Z' })
})

test('closing the account ends Premium and keeps the points', async () => {
  const ann = await somebody({ points: 100, cents: PRICE })
  await upgrade(ann)
  const closed = await ann.browser.post('/api/v1/profile/closure', {})
  expect(closed.status).toBeLessThan(300)
  const run = runOn(server.deps.pool)
  const { rows } = await run('SELECT renews, ended_at FROM bank.premium WHERE customer_id = $1', [ann.customer.id])
  expect(rows).toEqual([{ renews: false, ended_at: START }])
  const balances = await run(`SELECT balance_minor FROM ledger.account WHERE holder_id = $1 AND code = 'points'`, [
    ann.customer.id,
  ])
  expect(balances.rows).toEqual([{ balance_minor: 100 }])
})

test('the history has pages without gaps', async () => {
  const ann = await somebody()
  for (let index = 0; index < 5; index += 1) await give(ann, 10 + index)
  const pagedPoints: number[] = []
  let cursor = ''
  do {
    const page = await (await ann.browser.get(`/api/v1/rewards/history?limit=2${cursor}`)).json()
    pagedPoints.push(...page.lines.map(({ points }: { points: number }) => points))
    cursor = page.nextCursor ? `&cursor=${page.nextCursor}` : ''
  } while (cursor)
  expect(pagedPoints).toEqual([14, 13, 12, 11, 10])
})

test('a live bank has no reward codes', async () => {
  const live = await peopleServer({ config: { mode: 'live' } })
  try {
    const ann = await live.person({ fullName: 'Ann Live', email: 'ann.live@example.com' })
    const offered = ((await (await ann.browser.get('/api/v1/rewards')).json()) as Rewards).catalogue
    expect(offered.filter((reward) => reward.offered).map(({ reward }): Reward => reward)).toEqual([
      'cashback',
      'premium_month',
    ])
    expect(Object.keys(REWARDS)).toHaveLength(offered.length)
  } finally {
    await live.close()
  }
})
