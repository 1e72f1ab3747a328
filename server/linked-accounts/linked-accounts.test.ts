import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { LinkedAccount, LinkedAccounts } from '#contract/linked-accounts.ts'
import { lineNamed } from '#contract/line-texts.ts'
import { isRoutingNumber } from '#contract/bank-numbers.ts'
import { readOtherBanks } from '#server/sample/other-banks.ts'
import { settlementTimeOf } from '#server/rails/settlement-time.ts'
import { overduePayoutsJob } from '#server/rails/jobs.ts'
import { returnByItself, settleByItself } from '#server/rails/payout-outcomes.ts'
import { settleCollection as settleTopUp } from '#server/rails/collection-outcomes.ts'
import { testClock } from '#server/test/bank.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
const DAY_MS = 86_400_000
let now = START
/** Business time and real time advance together here, because daily limits use real time. */
const clock = testClock(START)
const later = (ms: number) => {
  now = new Date(now.getTime() + ms)
  clock.set(now)
}
/** An invented routing number with a valid checksum. */
const ROUTING = '011000015'

let server: PeopleServer
let ann: TestPerson
let bob: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock: { ...clock, realNow: () => START } })
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})
beforeEach(async () => {
  round += 1
  now = START
  clock.set(START)
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
})

const numberOf = (n: number) => `00${round}${String(n).padStart(6, '0')}`
const request = (n = 1, change: object = {}) => ({
  bankName: 'Harbor Bank',
  holderName: 'Ann Lee',
  routingNumber: ROUTING,
  accountNumber: numberOf(n),
  ...change,
})
const link = (n = 1, change: object = {}, person = ann, key: string = randomUUID()) =>
  person.browser.post('/api/v1/linked-accounts', request(n, change), { key })
const accountIn = async (answer: Response) => {
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { account: LinkedAccount }).account
}
const list = async (person = ann) =>
  ((await (await person.browser.get('/api/v1/linked-accounts')).json()) as LinkedAccounts).accounts

/** Reads the amounts of the two deposits, as the other bank shows them. */
async function deposits(id: string, person = ann): Promise<{ firstMinor: number; secondMinor: number }> {
  const { rows } = await server.deps.pool.query(
    `SELECT amount_minor FROM bank.payout WHERE linked_account_id = $1 AND customer_id = $2 ORDER BY amount_minor`,
    [id, person.customer.id],
  )
  return { firstMinor: rows[0].amount_minor, secondMinor: rows[1].amount_minor }
}
const verify = (id: string, amounts: object, person = ann, key: string = randomUUID()) =>
  person.browser.post(`/api/v1/linked-accounts/${id}/verification`, amounts, { key })
const WRONG = { firstMinor: 100, secondMinor: 100 }

async function verified(person = ann, n = 1): Promise<LinkedAccount> {
  const { id } = await accountIn(await link(n, {}, person))
  return accountIn(await verify(id, await deposits(id, person), person))
}
const move = (id: string, what: 'payouts' | 'top-ups', amountMinor: number, person = ann, key: string = randomUUID()) =>
  person.browser.post(`/api/v1/linked-accounts/${id}/${what}`, { amountMinor, asset: 'USD' }, { key })

async function state(person = ann) {
  const { account, unreadNotifications } = await person.dashboard()
  const [newest] = await person.transactions()
  return { has: account.availableMinor, held: account.heldMinor, status: newest?.status, told: unreadNotifications }
}

describe('linking an account', () => {
  test('requires a routing number with a valid checksum', () => {
    for (const good of [ROUTING, '021000021', '0110 0001 5', '121-000-248']) expect(isRoutingNumber(good)).toBe(true)
    for (const bad of ['011000016', '000000000', '01100001', '0110000155', 'abcdefghi', '']) {
      expect(isRoutingNumber(bad)).toBe(false)
    }
  })

  test('sends two deposits of the bank’s own money, and never shows the number again', async () => {
    const cost = async () =>
      (await auditTestBooks(server)).trialBalance.find(({ code }) => code === 'account_verification')?.debitMinor ?? 0n
    const before = await cost()
    const answer = await link()
    const text = await answer.clone().text()
    const account = await accountIn(answer)
    expect(account).toEqual({
      id: account.id,
      kind: 'bank',
      name: 'Harbor Bank',
      holderName: 'Ann Lee',
      lastFour: numberOf(1).slice(-4),
      email: null,
      expiresOn: null,
      status: 'pending',
      triesLeft: 3,
      expiresAt: new Date(START.getTime() + 10 * DAY_MS).toISOString(),
    })
    const { firstMinor, secondMinor } = await deposits(account.id)
    for (const cents of [firstMinor, secondMinor]) {
      expect(cents).toBeGreaterThanOrEqual(1)
      expect(cents).toBeLessThanOrEqual(99)
    }
    expect((await cost()) - before).toBe(BigInt(firstMinor + secondMinor))
    const { arrivals } = await readOtherBanks(server.deps, ann.customer.id)
    const shown = arrivals.map(({ amountMinor }) => amountMinor).toSorted((a, b) => a - b)
    expect(shown).toEqual([firstMinor, secondMinor])
    expect(text).not.toContain(numberOf(1))
    // The account number appears neither in the database nor in the customer's data export.
    const { rows } = await server.deps.pool.query('SELECT to_jsonb(a)::text AS text FROM bank.linked_account a')
    expect(rows.some((row) => row.text.includes(numberOf(1)))).toBe(false)
    const download = await (await ann.browser.get('/api/v1/profile/export')).text()
    expect(download).not.toContain(numberOf(1))
    // The export omits the deposit amounts, which would verify an account that is not the customer's.
    expect(JSON.parse(download)).toMatchObject({ linkedAccounts: [{ id: account.id }], payouts: [] })
  })

  test('is done once per key, and refused for a bad number or a second time', async () => {
    const key = randomUUID()
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => (await accountIn(await link(1, {}, ann, key))).id),
    )
    expect(new Set(ids).size).toBe(1)
    const before = await auditTestBooks(server)
    await expectRefusal(await link(2, { routingNumber: '011000016' }), 'routing_number_invalid', 'routingNumber')
    await expectRefusal(await link(2, { accountNumber: '12' }), 'account_number_invalid', 'accountNumber')
    await expectRefusal(await link(2, { accountNumber: 'DE12 3456' }), 'account_number_invalid', 'accountNumber')
    const routingNumber = server.deps.config.routingNumber
    await expectRefusal(await link(2, { routingNumber: routingNumber }), 'account_not_external', 'routingNumber')
    await expectRefusal(await link(1), 'account_linked', 'accountNumber')
    await expectRefusal(
      await link(1, { accountNumber: `${numberOf(1).slice(0, 3)} ${numberOf(1).slice(3)}` }),
      'account_linked',
      'accountNumber',
    )
    expect(await auditTestBooks(server)).toEqual(before)
    expect(await list()).toHaveLength(1)
  })

  test('is limited to twenty links per year and customer, even if each is removed', async () => {
    const { id } = await accountIn(await link())
    const row = await server.deps.db
      .selectFrom('bank.linked_account')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const monthAgo = new Date(START.getTime() - 30 * DAY_MS)
    const removed = { status: 'removed' as const, numbers_sealed: null, requested_at: monthAgo }
    const removedAccounts = Array.from({ length: 18 }, () => ({ ...row, ...removed, id: randomUUID() }))
    await server.deps.db.insertInto('bank.linked_account').values(removedAccounts).execute()
    await accountIn(await link(2))
    await expectRefusal(await link(3), 'too_many_requests')
    expect((await link(1, {}, bob)).status).toBe(200)
  })

  test('is limited to three links per day for each customer and each account, to prevent farming of deposits', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => link(n + 1)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
    // Removing an account does not allow new deposits.
    const [account] = await list()
    await ann.browser.delete(`/api/v1/linked-accounts/${account?.id}`)
    expect((await link(9)).status).toBe(429)
    // Other customers are not limited, except for an account that has already received its deposits.
    const people = await Promise.all(
      Array.from({ length: 4 }, (_, n) =>
        server.person({ fullName: 'Joint', email: `joint${round}.${n}@example.com` }),
      ),
    )
    const shared = await Promise.all(people.map((person) => link(77, {}, person)))
    expect(shared.filter(({ status }) => status === 200)).toHaveLength(3)
  })
})

describe('verifying it', () => {
  test('accepts both amounts in either order, once', async () => {
    const { id } = await accountIn(await link())
    const { firstMinor, secondMinor } = await deposits(id)
    const swapped = { firstMinor: secondMinor, secondMinor: firstMinor }
    const answers = await Promise.all(Array.from({ length: 4 }, () => verify(id, swapped)))
    for (const answer of answers) expect(await accountIn(answer)).toMatchObject({ status: 'verified', expiresAt: null })
    expect((await state()).told).toBe(1)
  })

  test('is refused after three wrong attempts, even simultaneous ones, and a repeated request is one attempt', async () => {
    const { id } = await accountIn(await link())
    const key = randomUUID()
    for (let again = 0; again < 3; again += 1)
      await expectRefusal(await verify(id, WRONG, ann, key), 'deposits_wrong', 'firstMinor')
    expect(await list()).toMatchObject([{ status: 'pending', triesLeft: 2 }])
    const answers = await Promise.all(Array.from({ length: 6 }, () => verify(id, WRONG)))
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(5)
    await expectRefusal(await verify(id, await deposits(id)), 'deposits_over')
    expect(await list()).toMatchObject([{ status: 'failed', triesLeft: 0 }])
    await expectRefusal(await move(id, 'payouts', 1), 'account_unverified')
  })

  test('is refused after ten days, and for another customer', async () => {
    const { id } = await accountIn(await link())
    const amounts = await deposits(id)
    await expectRefusal(await verify(id, amounts, bob), 'not_found')
    await expectRefusal(await verify('nonsense', amounts), 'not_found')
    later(10 * DAY_MS)
    await expectRefusal(await verify(id, amounts), 'deposits_over')
    expect(await list()).toMatchObject([{ status: 'expired' }])
  })

  test('is refused if a deposit was returned', async () => {
    const { id } = await accountIn(await link())
    const amounts = await deposits(id)
    const { rows } = await server.deps.pool.query('SELECT operation_id FROM bank.payout WHERE linked_account_id = $1', [
      id,
    ])
    const before = await auditTestBooks(server)
    await returnByItself(server.deps, rows[0].operation_id, 'account_not_found')
    await returnByItself(server.deps, rows[0].operation_id, 'account_not_found')
    expect((await auditTestBooks(server)).entries).toBe(before.entries + 2)
    await expectRefusal(await verify(id, amounts), 'deposits_over')
    expect((await state()).told).toBe(0)
  })
})

describe('moving money out', () => {
  test('reserves it at once, settles after one to two business days, and sends a notice', async () => {
    const { id } = await verified()
    await ann.fund(100_00)
    const answer = await move(id, 'payouts', 60_00)
    expect(answer.status).toBe(200)
    const { transaction, settlesAt } = await answer.json()
    expect(settlesAt).toBe(settlementTimeOf(START).toISOString())
    expect(transaction).toMatchObject({
      name: lineNamed('Harbor Bank'),
      amountMinor: -60_00,
      category: 'payout',
      status: 'pending',
      paymentMethod: { code: 'bank_transfer' },
    })
    expect(await state()).toEqual({ has: 40_00, held: 60_00, status: 'pending', told: 1 })
    later(DAY_MS)
    await overduePayoutsJob.work(server.deps)
    expect(await state()).toMatchObject({ held: 60_00 })
    clock.set(settlementTimeOf(START))
    await Promise.all([settleByItself(server.deps, transaction.id), settleByItself(server.deps, transaction.id)])
    expect(await state()).toEqual({ has: 40_00, held: 0, status: 'completed', told: 2 })
    // A customer's transfer to their own account elsewhere is neither income nor spending.
    expect((await ann.dashboard()).account).toMatchObject({ monthChangeMinor: 0, spentMinor: 0 })
  })

  test('recovers from a lost job', async () => {
    const { id } = await verified()
    await ann.fund(10_00)
    await move(id, 'payouts', 10_00)
    clock.set(new Date(settlementTimeOf(START).getTime() + DAY_MS))
    await overduePayoutsJob.work(server.deps)
    expect(await state()).toMatchObject({ held: 0, status: 'completed' })
  })

  test.each([
    ['before it has settled', false, 'returned', 2],
    ['after it has settled', true, 'completed', 3],
  ])('returns a payment that comes back %s once, with its reason', async (_, settled, status, reason) => {
    const { id } = await verified()
    await ann.fund(100_00)
    const { transaction } = await (await move(id, 'payouts', 60_00)).json()
    if (settled) await settleByItself(server.deps, transaction.id)
    const comesBack = () => returnByItself(server.deps, transaction.id, 'name_mismatch')
    await Promise.all([comesBack(), comesBack(), comesBack()])
    // A returned payout no longer settles.
    await settleByItself(server.deps, transaction.id)
    expect(await state()).toEqual({ has: 100_00, held: 0, status, told: reason })
    const { rows } = await server.deps.pool.query(
      `SELECT kind, params FROM bank.notification WHERE customer_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1`,
      [ann.customer.id],
    )
    expect(rows[0]).toMatchObject({
      kind: 'payout_returned',
      params: { name: 'Harbor Bank', amountMinor: 60_00, reason: 'name_mismatch' },
    })
  })

  test('pays out two or ten simultaneous requests for the whole balance once', async () => {
    const { id } = await verified()
    await ann.fund(100_00)
    const key = randomUUID()
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => move(id, 'payouts', 100_00, ann, key)),
      ...Array.from({ length: 5 }, () => move(id, 'payouts', 100_00)),
    ])
    const paid = answers.filter(({ status }) => status === 200)
    expect(paid.length === 1 || paid.length === 5).toBe(true)
    expect(await state()).toMatchObject({ has: 0, held: 100_00 })
    const { rows } = await server.deps.pool.query(
      `SELECT count(*) AS payouts FROM bank.payout WHERE customer_id = $1 AND purpose = 'withdrawal'`,
      [ann.customer.id],
    )
    expect(rows[0].payouts).toBe(1)
    await auditTestBooks(server)
  })

  test('refuses more than the balance, and an account that is unverified, removed or another customer’s', async () => {
    const { id } = await verified()
    const { id: pending } = await accountIn(await link(2))
    const { id: bobs } = await verified(bob, 3)
    await ann.fund(50_00)
    const before = await auditTestBooks(server)
    await expectRefusal(await move(id, 'payouts', 50_01), 'insufficient_funds')
    await expectRefusal(await move(pending, 'payouts', 10_00), 'account_unverified')
    for (const unknown of [bobs, randomUUID(), 'x'])
      await expectRefusal(await move(unknown, 'payouts', 10_00), 'not_found')
    await expectRefusal(await move(bobs, 'top-ups', 10_00), 'not_found')
    await expectRefusal(await move(pending, 'top-ups', 10_00), 'account_unverified')
    for (const bad of [0, -1, 0.5]) expect((await move(id, 'payouts', bad)).status).toBe(400)
    expect((await ann.browser.delete(`/api/v1/linked-accounts/${id}`)).status).toBe(204)
    await expectRefusal(await move(id, 'payouts', 10_00), 'not_found')
    await expectRefusal(await ann.browser.delete(`/api/v1/linked-accounts/${id}`), 'not_found')
    expect(await auditTestBooks(server)).toEqual(before)
  })

  test('to an account that is removed at the same moment either completes or does not happen', async () => {
    await ann.fund(30_00)
    const { id } = await verified()
    const [paid] = await Promise.all([move(id, 'payouts', 30_00), ann.browser.delete(`/api/v1/linked-accounts/${id}`)])
    expect(await state()).toMatchObject(paid.status === 200 ? { has: 0, held: 30_00 } : { has: 30_00, held: 0 })
  })
})

test('money is added from a verified account, named by its bank', async () => {
  const { id } = await verified()
  const key = randomUUID()
  const answers = await Promise.all([1, 2, 3].map(() => move(id, 'top-ups', 25_00, ann, key)))
  const texts = await Promise.all(answers.map((answer) => answer.text()))
  expect(new Set(texts).size).toBe(1)
  const { transaction } = JSON.parse(texts[0] ?? '')
  expect(transaction).toMatchObject({ name: lineNamed('Harbor Bank'), status: 'pending', category: 'top_up' })
  expect(await state()).toMatchObject({ has: 0 })
  await settleTopUp(server.deps, transaction.id)
  expect(await state()).toMatchObject({ has: 25_00, status: 'completed' })
  expect((await ann.transactions())[0]?.name).toEqual(lineNamed('Harbor Bank'))
})
