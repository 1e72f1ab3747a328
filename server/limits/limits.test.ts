import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cardsOf } from '#server/cards/card.ts'
import { issueCards } from '#server/cards/service.ts'
import { shopByName } from '#server/card-scheme/sample-shops.ts'
import { payAtShop } from '#server/card-scheme/simulated.ts'
import { receiveIncoming } from '#server/payments/incoming.ts'
import { type Policy, policyFor } from '#server/bank/policy.ts'
import { testClock } from '#server/test/bank.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
const DAY_MS = 86_400_000
const clock = { ...testClock(START), realNow: () => START }
const LIMITS: Policy['limits'] = {
  in: { operationMinor: 600_00, dayMinor: 1_000_00 },
  out: { operationMinor: 300_00, dayMinor: 500_00 },
  balanceMinor: 1_500_00,
}
let server: PeopleServer
let ann: TestPerson
let bob: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
  server.deps.policy.limits = LIMITS
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

const send = (amountMinor: number, key: string = randomUUID(), recipient = bob.customer.email) =>
  ann.browser.post('/api/v1/transfers', { recipient, amountMinor, asset: 'USD' }, { key })
async function payByCard(amountMinor: number): Promise<string | null> {
  const [card] = await cardsOf(server.deps, ann.customer.id)
  if (!card) throw new Error('Ann has no card')
  const merchant = shopByName('Fieldnote Books')
  return payAtShop(server.deps, { id: randomUUID(), card, amountMinor, merchant, entry: 'chip' })
}
const hold = (amountMinor: number, key?: string) => send(amountMinor, key, `nobody${round}@example.net`)
const topUp = (amountMinor: number, method = 'card', key: string = randomUUID()) =>
  ann.browser.post('/api/v1/top-ups', { amountMinor, asset: 'USD', method }, { key })
const operations = async () => (await server.deps.pool.query('SELECT FROM ledger.operation')).rowCount
const tomorrow = () => clock.set(new Date(clock.businessNow().getTime() + DAY_MS))

describe('one operation', () => {
  test('moves at most the policy’s limit, in or out, and a refused attempt leaves no data', async () => {
    await ann.fund(5_000_00)
    // The points of earlier payments are credited a moment later.
    await server.deps.paymentPoints.flush()
    const before = [await auditTestBooks(server), await operations()]
    for (const answer of [await send(300_01), await hold(300_01), await topUp(600_01), await topUp(600_01, 'bank')]) {
      await expectRefusal(answer, 'amount_too_large', 'amountMinor')
    }
    expect([await auditTestBooks(server), await operations()]).toEqual(before)
    expect((await send(300_00)).status).toBe(200)
  })
})

describe('the daily limit', () => {
  test('applies to all outgoing money, for any recipient and way', async () => {
    await ann.fund(5_000_00)
    expect((await send(200_00)).status).toBe(200)
    expect((await hold(250_00)).status).toBe(200)
    // The points of earlier payments are credited a moment later.
    await server.deps.paymentPoints.flush()
    const before = [await auditTestBooks(server), await operations()]
    for (const answer of [await send(50_01), await hold(50_01)]) {
      await expectRefusal(answer, 'day_limit_reached', 'amountMinor')
    }
    expect([await auditTestBooks(server), await operations()]).toEqual(before)
    await issueCards(server.deps, [
      {
        customerId: ann.customer.id,
        accountId: ann.customer.currentAccountId,
        type: 'debit',
        name: 'Main',
        expiresOn: '2028-12-31',
        kind: 'main',
      },
    ])
    expect(await payByCard(50_01)).toBe('day_limit')
    expect(await payByCard(50_00)).toBe(null)
    await expectRefusal(await send(1), 'day_limit_reached', 'amountMinor')
    // Bob has his own limits, and they start again the next day.
    expect(await bob.balanceMinor()).toBe(200_00)
    tomorrow()
    expect((await send(300_00)).status).toBe(200)
  })

  test('applies to all incoming money', async () => {
    expect((await topUp(600_00)).status).toBe(200)
    await expectRefusal(await topUp(400_01, 'wallet'), 'day_limit_reached', 'amountMinor')
    expect((await topUp(400_00, 'bank')).status).toBe(200)
    const salary = { customer: ann.customer, payerName: 'Employer', amountMinor: 1 }
    await expect(receiveIncoming(server.deps, salary)).rejects.toMatchObject({ code: 'day_limit_reached' })
  })

  test('is kept by many simultaneous operations', async () => {
    await ann.fund(5_000_00)
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => (index % 2 ? send(60_00) : hold(60_00))))
    const went = answers.filter(({ status }) => status === 200).length
    expect(went).toBe(8)
    const { account } = await ann.dashboard()
    expect(account.availableMinor).toBe(5_000_00 - 8 * 60_00)
  })

  test('is not used by refused or repeated operations', async () => {
    await ann.fund(250_00)
    await expectRefusal(await send(300_00), 'insufficient_funds')
    await expectRefusal(await hold(300_00), 'insufficient_funds')
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(250_00, key)))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    await ann.fund(500_00)
    expect((await send(250_00)).status).toBe(200)
    await expectRefusal(await send(1), 'day_limit_reached', 'amountMinor')
    // A request from before the limit was reached gets its first answer when it is repeated.
    expect((await send(250_00, key)).status).toBe(200)
  })
})

describe('an account’s ceiling', () => {
  test('applies to its holder’s deposits, including pending ones', async () => {
    expect((await topUp(600_00)).status).toBe(200)
    expect((await topUp(400_00, 'bank')).status).toBe(200)
    tomorrow()
    // The points of earlier payments are credited a moment later.
    await server.deps.paymentPoints.flush()
    const before = [await auditTestBooks(server), await operations()]
    for (const method of ['card', 'bank']) {
      await expectRefusal(await topUp(500_01, method), 'balance_limit_reached', 'amountMinor')
    }
    const salary = { customer: ann.customer, payerName: 'Employer', amountMinor: 500_01 }
    await expect(receiveIncoming(server.deps, salary)).rejects.toMatchObject({ code: 'balance_limit_reached' })
    expect([await auditTestBooks(server), await operations()]).toEqual(before)
    expect((await topUp(500_00)).status).toBe(200)
    await expectRefusal(await topUp(1), 'balance_limit_reached', 'amountMinor')
  })

  test('is kept by many simultaneous top-ups', async () => {
    await ann.fund(1_000_00)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => topUp(80_00, index % 2 ? 'card' : 'bank')),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6)
    const { account } = await ann.dashboard()
    expect(account.availableMinor + account.incomingMinor).toBe(1_480_00)
  })

  test('does not apply to payments from others, so that a sender learns nothing about the recipient’s balance', async () => {
    await ann.fund(5_000_00)
    await bob.fund(1_499_99)
    const carol = await server.person({ fullName: 'Carol Ray', email: `carol${round}@example.com` })
    const toFull = await (await send(200_00)).json()
    const toEmpty = await (await send(200_00, randomUUID(), carol.customer.email)).json()
    expect(toFull.transaction.status).toBe('completed')
    expect(Object.keys(toFull.transaction)).toEqual(Object.keys(toEmpty.transaction))
    expect(await bob.balanceMinor()).toBe(1_699_99)
  })
})

test('both modes have limits, and those of an unverified customer are lower', () => {
  for (const mode of ['sample', 'live'] as const) {
    const { limits, unverifiedLimits } = policyFor({ mode })
    for (const way of ['in', 'out'] as const) {
      expect(limits[way].operationMinor).toBeLessThanOrEqual(limits[way].dayMinor)
      expect(unverifiedLimits?.[`${way}Minor`] ?? 0).toBeLessThan(limits[way].operationMinor)
    }
    expect(limits.balanceMinor).toBeLessThan(Number.MAX_SAFE_INTEGER / 1_000_000)
  }
})
