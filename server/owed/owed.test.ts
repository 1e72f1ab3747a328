import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentMessage } from '#contract/card-scheme.ts'
import { lineNamed } from '#contract/line-texts.ts'
import { cashbackJob } from '#server/cards/cashback.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { collectDebtsJob } from '#server/owed/collect-debts.ts'
import { debtsOf, owedOf } from '#server/owed/debts.ts'
import { lossesByCustomer, lossesByShop } from '#server/owed/reports.ts'
import { runOn } from '#server/platform/db/run.ts'
import { createGoals } from '#server/savings/service.ts'
import { testClock } from '#server/test/bank.ts'
import {
  authorizationRequest,
  outcomeOf,
  type Plastic,
  plasticOf,
  SCHEME_SECRET,
  sendCardMessage,
} from '#server/test/card-scheme.ts'
import { auditTestBooks, expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { doJobs } from '#server/test/post-office.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
const clock = { ...testClock(START), realNow: () => START }
let server: PeopleServer
let ann: TestPerson
let bob: TestPerson
let round = 0
/** A restaurant for one test only, so that losses at it do not mix with those of other tests. */
let shop = { name: '', mcc: '5812', city: 'Portland', country: 'US' }
let schemeBefore = 0

beforeAll(async () => {
  server = await peopleServer({ clock, config: { cardSchemeSecret: SCHEME_SECRET } })
})
afterAll(() => server.close())
beforeEach(async () => {
  clock.set(START)
  round += 1
  shop = { ...shop, name: `Bella Trattoria ${round}` }
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
  schemeBefore = await schemeMinor()
})
/** After each test the books must be consistent, and the recorded debts must equal the books. */
afterEach(async () => {
  const { trialBalance } = await auditTestBooks(server)
  const { rows } = await server.deps.pool.query('SELECT coalesce(sum(left_minor), 0) AS minor FROM bank.owed')
  expect(Number(trialBalance.find(({ code }) => code === 'owed')?.debitMinor ?? 0n)).toBe(Number(rows[0]?.minor))
})

/** Returns the sum of all shops' captures less refunds. */
async function schemeMinor(): Promise<number> {
  const { rows } = await server.deps.pool.query('SELECT balance_minor FROM ledger.account WHERE id = $1', [
    bankAccount('card_scheme'),
  ])
  return Number(rows[0]?.balance_minor)
}
const shopsGot = async () => (await schemeMinor()) - schemeBefore
const owes = async (person = ann) => (await owedOf(server.deps.db, [person.customer.id])).get(person.customer.id) ?? 0
const available = async (person = ann) => (await person.dashboard()).account.availableMinor
const say = (message: unknown) => outcomeOf(sendCardMessage(server, message))
const collect = () => collectDebtsJob.work(server.deps)

async function lossesMinor(): Promise<bigint> {
  const { trialBalance } = await auditTestBooks(server)
  const lines = trialBalance.filter(({ code }) => code === 'card_losses' || code === 'return_losses')
  return lines.reduce((sum, { debitMinor }) => sum + debitMinor, 0n)
}

type Virtual = { id: string; plastic: Plastic }
async function virtualCard(loadMinor: number, person = ann): Promise<Virtual> {
  const card = { name: 'Dinners', kind: 'multi_use', limitMinor: 20_000_00, asset: 'USD' }
  const load = loadMinor > 0 ? { loadMinor } : {}
  const { id } = await (await person.browser.post('/api/v1/cards', { ...card, ...load })).json()
  return { id, plastic: await plasticOf(server.deps, person.customer.id, id) }
}
const load = (card: Virtual, amountMinor: number) =>
  ann.browser.post(`/api/v1/cards/${card.id}/moves`, { direction: 'to_card', amountMinor, asset: 'USD' })
const authorise = (card: Virtual, amountMinor: number, changes: Partial<PaymentMessage> = {}) =>
  authorizationRequest(card.plastic, { amountMinor, merchant: shop, ...changes })
const about = (type: string, authorisationId: string, amountMinor?: number) =>
  say({
    type,
    messageId: randomUUID(),
    authorisationId,
    ...(amountMinor ? { amountMinor, ...(type === 'reverse' ? {} : { asset: 'USD' }) } : {}),
  })

/** Pays for a dinner with a tip, and returns the payment's scheme id. */
async function dinner(card: Virtual, billMinor: number, withTipMinor: number): Promise<string> {
  const message = authorise(card, billMinor)
  expect(await say(message)).toBe('approved')
  expect(await about('capture', message.authorisationId, withTipMinor)).toBe('done')
  return message.authorisationId
}

async function goal(amountMinor: number, lockedUntil: string | null): Promise<void> {
  const [newGoal] = await createGoals(server.deps, ann.customer.id, [
    { name: 'Holiday', icon: 'plane', targetMinor: 5_000_00, lockedUntil },
  ])
  const answer = await ann.browser.post(`/api/v1/goals/${newGoal?.id}/deposits`, { amountMinor, asset: 'USD' })
  expect(answer.status).toBe(200)
}
const balances = async (code: string) =>
  (await accountsOf(runOn(server.deps.pool), ann.customer.id))
    .filter((account) => account.code === code)
    .map(({ balanceMinor }) => balanceMinor)

const send = (from: TestPerson, to: TestPerson, amountMinor: number) =>
  server.deps.ledger.post({
    id: randomUUID(),
    kind: 'payment.send',
    fingerprint: 'test',
    bookedAt: START,
    legs: [
      { kind: 'transfer', debit: from.customer.currentAccountId, credit: to.customer.currentAccountId, amountMinor },
    ],
  })

describe('a tip above the card’s money', () => {
  test('comes from the current account: ten dinners cost the bank nothing', async () => {
    await ann.fund(5_000_00)
    const card = await virtualCard(0)
    const before = await lossesMinor()
    for (let turn = 0; turn < 10; turn += 1) {
      expect((await load(card, 100_00)).status).toBe(200)
      await dinner(card, 100_00, 120_00)
    }
    expect(await shopsGot()).toBe(1_200_00)
    expect(await available()).toBe(3_800_00)
    expect(await owes()).toBe(0)
    expect(await lossesMinor()).toBe(before)
  })

  test('is shown as one bill, and as a move to the card for it', async () => {
    await ann.fund(200_00)
    const card = await virtualCard(50_00)
    await dinner(card, 50_00, 58_00)
    const ofCard = await (await ann.browser.get(`/api/v1/cards/${card.id}/transactions`)).json()
    expect(ofCard.transactions).toMatchObject([
      { name: lineNamed(shop.name), amountMinor: -58_00, category: 'food' },
      { name: lineNamed('Dinners'), amountMinor: 8_00, category: 'card', note: shop.name },
      { name: lineNamed('Dinners'), amountMinor: 50_00 },
    ])
    expect((await ann.transactions()).filter(({ category }) => category !== 'top_up')).toMatchObject([
      { name: lineNamed('Dinners'), amountMinor: -8_00, category: 'card', note: shop.name },
      { name: lineNamed('Dinners'), amountMinor: -50_00 },
    ])
  })

  test('comes from other cards and from unlocked goals, and the missing rest is a debt', async () => {
    await ann.fund(300_00)
    const card = await virtualCard(100_00)
    await virtualCard(5_00)
    await goal(7_00, null)
    await goal(150_00, '2027-08-28')
    await send(ann, bob, 38_00)
    await dinner(card, 100_00, 116_00)
    expect(await owes()).toBe(4_00)
    expect(await balances('card')).toEqual([0, 0])
    expect((await balances('savings')).toSorted((a, b) => a - b)).toEqual([0, 150_00])
    expect(await shopsGot()).toBe(116_00)
    expect(await debtsOf(server.deps.db, ann.customer.id)).toMatchObject([
      { cause: 'card_payment', name: shop.name, amountMinor: 4_00, leftMinor: 4_00 },
    ])
  })

  test('does not touch savings while another card has enough', async () => {
    await ann.fund(130_00)
    const card = await virtualCard(100_00)
    await virtualCard(20_00)
    await goal(10_00, null)
    await dinner(card, 100_00, 116_00)
    expect(await balances('card')).toEqual([0, 4_00])
    expect(await balances('savings')).toEqual([10_00])
  })

  test('stops the cards of a customer with a large debt, until it is paid', async () => {
    await ann.fund(30_000_00)
    const cards = await Promise.all([0, 1, 2].map(() => virtualCard(10_000_00)))
    const messages = cards.flatMap((card) => [authorise(card, 5_000_00), authorise(card, 5_000_00)])
    for (const message of messages) expect(await say(message)).toBe('approved')
    await Promise.all(
      messages.map(async ({ authorisationId }) =>
        expect(await about('capture', authorisationId, 6_000_00)).toBe('done'),
      ),
    )
    expect(await shopsGot()).toBe(36_000_00)
    expect(await owes()).toBe(6_000_00)
    const again = () => say(authorise(cards[0] as Virtual, 1_00))
    expect(await again()).toBe('owes_bank')
    await ann.fund(7_000_00)
    expect(await available()).toBe(1_000_00)
    await collect()
    expect(await owes()).toBe(0)
    expect(await ann.balanceMinor()).toBe(1_000_00)
    await load(cards[0] as Virtual, 1_00)
    expect(await again()).toBe('approved')
  })

  test('of one customer stops no shop for others, for any amount', async () => {
    const { losses } = server.deps.policy
    const shopMinor = losses.shopMinor
    losses.shopMinor = losses.customerMinor + 10_00
    try {
      await ann.fund(1_000_00)
      await dinner(await virtualCard(1_000_00), 1_000_00, 1_200_00)
      expect(await owes()).toBe(200_00)
      await bob.fund(10_00)
      expect(await say(authorise(await virtualCard(10_00, bob), 1_00))).toBe('approved')
    } finally {
      losses.shopMinor = shopMinor
    }
  })

  test('stops a shop that cost the bank too much', async () => {
    const { losses } = server.deps.policy
    const shopMinor = losses.shopMinor
    losses.shopMinor = 30_00
    try {
      for (const person of [ann, bob]) {
        await person.fund(100_00)
        await dinner(await virtualCard(100_00, person), 100_00, 120_00)
      }
      const cat = await server.person({ fullName: 'Cat Poe', email: `cat${round}@example.com` })
      await cat.fund(10_00)
      const card = await virtualCard(10_00, cat)
      const merchant = { ...shop, name: ` BELLA  trattoria ${round}` }
      expect(await say(authorise(card, 1_00, { merchant }))).toBe('blocked_shop')
      expect(await say(authorise(card, 1_00, { merchant: { ...shop, name: `Bean There ${round}` } }))).toBe('approved')
      await ann.fund(20_00)
      await collect()
      expect(await say(authorise(card, 1_00, { merchant }))).toBe('approved')
    } finally {
      losses.shopMinor = shopMinor
    }
  })
})

describe('a debt', () => {
  /** Returns an empty card whose holder owes 20.00. */
  async function owing(): Promise<Virtual> {
    await ann.fund(100_00)
    const card = await virtualCard(100_00)
    await dinner(card, 100_00, 120_00)
    expect(await owes()).toBe(20_00)
    return card
  }

  test('cannot be avoided by sending the money on, and is collected once', async () => {
    await owing()
    const turns = Array.from({ length: 30 }, (_, turn) => turn)
    const sends: PromiseSettledResult<unknown>[] = []
    await Promise.all(
      turns.map(async () => {
        await ann.fund(1_00)
        const [sendResult] = await Promise.allSettled([send(ann, bob, 1_00), collect()])
        sends.push(sendResult)
      }),
    )
    await Promise.all(turns.map(() => collect()))
    const sentOn = sends.filter(({ status }) => status === 'fulfilled').length
    expect(await owes()).toBe(0)
    expect((await ann.balanceMinor()) + sentOn * 100).toBe(10_00)
    expect(await bob.balanceMinor()).toBe(sentOn * 100)
    const paid = (await ann.transactions('?limit=100')).filter(({ name }) => name.code === 'owed.card_payment')
    expect(paid.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(-20_00)
    expect(paid.every(({ note }) => note === shop.name)).toBe(true)
  })

  test('is collected completely or not at all if the connection is lost', async () => {
    await owing()
    await ann.fund(50_00)
    for (let turn = 0; turn < 12; turn += 1) {
      const query = server.deps.pool.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
      )
      await Promise.allSettled([collect(), query, collect()])
    }
    await expect
      .poll(
        () =>
          collect()
            .then(() => owes())
            .catch(() => -1),
        { timeout: 20_000 },
      )
      .toBe(0)
    expect(await ann.balanceMinor()).toBe(30_00)
  })

  test('is paid first by a refund, and by money that returns to a card', async () => {
    await ann.fund(200_00)
    const card = await virtualCard(200_00)
    const other = authorise(card, 60_00)
    expect(await say(other)).toBe('approved')
    const id = await dinner(card, 140_00, 168_00)
    expect(await owes()).toBe(28_00)
    expect(await about('refund', id, 10_00)).toBe('done')
    expect(await owes()).toBe(18_00)
    expect(await balances('card')).toEqual([60_00])
    expect(await about('capture', other.authorisationId, 50_00)).toBe('done')
    // The shop did not capture 10.00 of the hold, and the card could have spent them.
    expect(await owes()).toBe(8_00)
    expect(await about('refund', other.authorisationId, 50_00)).toBe('done')
    expect(await owes()).toBe(0)
    expect(await available()).toBe(0)
    expect(await balances('card')).toEqual([42_00])
    expect(await shopsGot()).toBe(158_00)
  })

  test('is collected from a card under locks in the order of every posting', async () => {
    await ann.fund(200_00)
    const card = await virtualCard(200_00)
    const other = authorise(card, 60_00)
    expect(await say(other)).toBe('approved')
    await dinner(card, 140_00, 168_00)
    const ids = (await accountsOf(runOn(server.deps.pool), ann.customer.id)).flatMap(({ id, code }) =>
      code === 'card' ? [id] : [],
    )
    // This lock is the same as in a payment from the current account to the card, which shares a transaction with other
    // payments.
    const payment = await server.deps.pool.connect()
    const lock = 'SELECT id FROM ledger.account WHERE id = ANY($1::bigint[]) FOR NO KEY UPDATE NOWAIT'
    await payment.query('BEGIN')
    await payment.query(lock, [[ann.customer.currentAccountId]])
    const reversed = about('reverse', other.authorisationId)
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
    // Delayed writes of an earlier request may wait for this lock as well.
    await expect
      .poll(async () => (await server.deps.pool.query(waiting)).rowCount, { timeout: 10_000 })
      .toBeGreaterThanOrEqual(1)
    const [locked] = await Promise.allSettled([payment.query(lock, [ids])])
    await payment.query('ROLLBACK')
    payment.release()
    expect(await reversed).toBe('done')
    expect(locked).toMatchObject({ status: 'fulfilled', value: { rowCount: 1 } })
    expect(await owes()).toBe(0)
  })

  test('does not touch money that was reserved earlier', async () => {
    await ann.fund(200_00)
    const card = await virtualCard(100_00)
    const main = await ann.browser.post('/api/v1/cards/main', {})
    const { id } = await main.json()
    const plastic = await plasticOf(server.deps, ann.customer.id, id)
    const authorisation = authorise({ id, plastic }, 100_00)
    expect(await say(authorisation)).toBe('approved')
    await dinner(card, 100_00, 110_00)
    expect(await owes()).toBe(10_00)
    const part = {
      type: 'capture',
      messageId: randomUUID(),
      authorisationId: authorisation.authorisationId,
      asset: 'USD',
    }
    expect(await say({ ...part, amountMinor: 40_00, final: false })).toBe('done')
    expect(await about('reverse', authorisation.authorisationId, 5_00)).toBe('done')
    expect(await about('capture', authorisation.authorisationId, 55_00)).toBe('done')
    await collect()
    expect(await owes()).toBe(5_00)
  })

  test('causes a notice, and keeps its customer from closing', async () => {
    await owing()
    const { rows } = await server.deps.pool.query(
      `SELECT kind, params FROM bank.notification WHERE customer_id = $1 AND kind LIKE 'owed%'`,
      [ann.customer.id],
    )
    expect(rows).toEqual([
      { kind: 'owed', params: { amountMinor: 20_00, asset: 'USD', cause: 'card_payment', name: shop.name } },
    ])
    expect(await ann.dashboard()).toMatchObject({ owed: [{ cause: 'card_payment', leftMinor: 20_00 }] })
    expect(await (await ann.browser.get('/api/v1/cards')).json()).toMatchObject({ owed: [{ leftMinor: 20_00 }] })
    const loss = { times: 1, paidMinor: 20_00, owedMinor: 20_00, lostMinor: 0 }
    const lossOf = (name: string) => expect.objectContaining({ who: expect.stringContaining(name), ...loss })
    expect(await lossesByCustomer(server.deps.db, 100)).toContainEqual(lossOf(ann.customer.id))
    expect(await lossesByShop(server.deps.db, 100)).toContainEqual(lossOf(shop.name.toLowerCase()))
    await expectRefusal(await ann.browser.post('/api/v1/profile/closure', {}), 'owes_bank')
    await ann.fund(20_00)
    await collect()
    expect((await ann.browser.post('/api/v1/profile/closure', {})).status).toBe(204)
  })

  test('is not avoided by a customer who closes before a shop captures a payment without a hold', async () => {
    const before = await lossesMinor()
    const card = await virtualCard(0)
    const advised = authorise(card, 60_00, { type: 'advise' })
    expect(await say(advised)).toBe('approved')
    await expectRefusal(await ann.browser.post('/api/v1/profile/closure', {}), 'balance_not_zero')
    expect(await about('capture', advised.authorisationId, 72_00)).toBe('done')
    expect(await owes()).toBe(72_00)
    expect((await lossesMinor()) - before).toBe(0n)
    await ann.fund(72_00)
    await collect()
    expect((await ann.browser.post('/api/v1/profile/closure', {})).status).toBe(204)
  })
})

describe('cashback of refunded payments', () => {
  test('is taken back, or is a debt if it was spent, and no customer can leave with it', async () => {
    await ann.fund(4_200_00)
    const card = await virtualCard(4_200_00)
    const id = await dinner(card, 4_200_00, 4_200_00)
    clock.set(new Date('2026-09-02T12:00:00Z'))
    await cashbackJob.work(server.deps)
    expect(await available()).toBe(42_00)
    await send(ann, bob, 42_00)
    expect(await about('refund', id, 4_200_00)).toBe('done')
    await ann.browser.post(`/api/v1/cards/${card.id}/moves`, {
      direction: 'from_card',
      amountMinor: 4_200_00,
      asset: 'USD',
    })
    await send(ann, bob, 4_200_00)
    await expectRefusal(await ann.browser.post('/api/v1/profile/closure', {}), 'owes_bank')
    await doJobs(server, 'cards.take_cashback_back')
    await doJobs(server, 'cards.take_cashback_back')
    expect(await owes()).toBe(42_00)
    await ann.fund(50_00)
    await collect()
    expect(await ann.balanceMinor()).toBe(8_00)
    clock.set(new Date('2026-10-02T12:00:00Z'))
    await cashbackJob.work(server.deps)
    expect(await ann.balanceMinor()).toBe(8_00)
  })
})

test('for any shops, customers and collections, shops get their captured amounts, which are paid or owed', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('fund' as const), minor: fc.integer({ min: 1, max: 60_00 }) }),
    fc.record({ do: fc.constant('send' as const), minor: fc.integer({ min: 1, max: 60_00 }) }),
    fc.record({ do: fc.constant('load' as const), minor: fc.integer({ min: 1, max: 60_00 }) }),
    fc.record({
      do: fc.constantFrom('authorise' as const, 'advise' as const),
      minor: fc.integer({ min: 1, max: 60_00 }),
    }),
    fc.record({ do: fc.constantFrom('capture' as const, 'refund' as const, 'reverse' as const), minor: fc.nat(7) }),
    fc.record({ do: fc.constant('collect' as const), minor: fc.constant(0) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      round += 1
      ann = await server.person({ fullName: 'Ann Lee', email: `ann.${round}@example.com` })
      const before = await schemeMinor()
      const card = await virtualCard(0)
      let inMinor = 0
      let outMinor = 0
      const payments: { id: string; minor: number; captured: number; refunded: number }[] = []
      for (const { do: action, minor } of steps) {
        const payment = payments[minor % Math.max(1, payments.length)]
        if (action === 'fund') {
          await ann.fund(minor)
          inMinor += minor
        } else if (action === 'send') {
          const isSent = await send(ann, bob, minor).then(
            () => true,
            () => false,
          )
          if (isSent) outMinor += minor
          // A payment never uses the owed amount.
          if (isSent) expect((await owes()) === 0 || (await ann.balanceMinor()) >= (await owes())).toBe(true)
        } else if (action === 'load') await load(card, minor)
        else if (action === 'collect') await collect()
        else if (action === 'authorise' || action === 'advise') {
          const message = authorise(card, minor, { type: action })
          if ((await say(message)) === 'approved')
            payments.push({ id: message.authorisationId, minor, captured: 0, refunded: 0 })
        } else if (payment && action === 'capture') {
          const amountMinor = payment.minor + Math.floor(payment.minor / 5)
          if ((await about('capture', payment.id, amountMinor)) === 'done') payment.captured = amountMinor
        } else if (payment && action === 'refund') {
          const amountMinor = Math.ceil((payment.captured - payment.refunded) / 2)
          if (amountMinor > 0 && (await about('refund', payment.id, amountMinor)) === 'done')
            payment.refunded += amountMinor
        } else if (payment) await about('reverse', payment.id)
      }
      const spentMinor = payments.reduce((sum, { captured, refunded }) => sum + captured - refunded, 0)
      expect((await schemeMinor()) - before).toBe(spentMinor)
      const has = (await accountsOf(runOn(server.deps.pool), ann.customer.id)).filter(({ asset }) => asset === 'USD')
      const ownMinor = has.filter(({ code }) => code !== 'owed').reduce((sum, account) => sum + account.balanceMinor, 0)
      expect(has.every(({ code, balanceMinor, heldMinor }) => code === 'owed' || balanceMinor - heldMinor >= 0)).toBe(
        true,
      )
      expect(inMinor - outMinor - ownMinor + (await owes())).toBe(spentMinor)
    }),
    { numRuns: 25 },
  )
}, 300_000)
