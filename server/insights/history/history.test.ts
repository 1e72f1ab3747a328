import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Category } from '#contract/categories.ts'
import { readPaymentsSince, summedAccounts } from '#server/insights/history/history.ts'
import { openAccounts } from '#server/ledger/accounts.ts'
import { inTransaction, runOn } from '#server/platform/db/run.ts'
import { testClock } from '#server/test/bank.ts'
import { bookCardPayment } from '#server/test/card-payment.ts'
import { type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
const clock = { ...testClock(START), realNow: () => START }
let server: PeopleServer
let people = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(() => server.close())

async function somebody(): Promise<TestPerson> {
  people += 1
  const person = await server.person({ fullName: `Person ${people}`, email: `history.${people}@example.com` })
  await person.fund(100_000_00)
  return person
}

type TestPayment = { name?: string; category?: Category; amountMinor: number; on: string }

const spend = (
  person: TestPerson,
  { name = 'Grocer', category = 'food', amountMinor, on }: TestPayment,
): Promise<string> =>
  bookCardPayment(server, person, {
    amountMinor,
    bookedAt: new Date(`${on}T12:00:00Z`),
    detail: { debitName: name, creditName: name, category },
  })

/** Returns the card payments since a day: day, payee, name, category, income and expense. */
async function readPayments({ customer }: TestPerson, since: string): Promise<unknown[]> {
  const days = await readPaymentsSince(server.deps.db, await summedAccounts(server.deps, customer.id), since)
  return days
    .filter(({ name }) => name !== '' && name !== 'Current Account')
    .filter(({ category }) => category !== 'transfer')
    .map(({ day, payee, name, category, inMinor, outMinor }) => [day, payee, name, category, inMinor, outMinor])
}

test('is by day and payee, in the category with the most spending, and continues from its last state', async () => {
  const ann = await somebody()
  await spend(ann, { amountMinor: 5_00, on: '2026-07-31' })
  await spend(ann, { amountMinor: 2_00, on: '2026-08-02' })
  await spend(ann, { amountMinor: 7_00, category: 'shopping', on: '2026-08-02' })
  await spend(ann, { name: 'Cafe', amountMinor: 3_00, on: '2026-08-02' })
  expect(await readPayments(ann, '2026-07-01')).toEqual([
    ['2026-07-31', 'grocer', 'Grocer', 'food', 0, 5_00],
    ['2026-08-02', 'cafe', 'Cafe', 'food', 0, 3_00],
    ['2026-08-02', 'grocer', 'Grocer', 'shopping', 0, 9_00],
  ])
  // A refund, a payment on an earlier day, another spelling, and a larger sum in the other category.
  await spend(ann, { name: 'GROCER', amountMinor: -1_00, category: 'shopping', on: '2026-08-03' })
  await spend(ann, { name: 'GROCER', amountMinor: 4_00, on: '2026-08-01' })
  await spend(ann, { name: 'GROCER', amountMinor: 6_00, on: '2026-08-02' })
  expect(await readPayments(ann, '2026-08-02')).toEqual([
    ['2026-08-02', 'cafe', 'Cafe', 'food', 0, 3_00],
    ['2026-08-02', 'grocer', 'GROCER', 'food', 0, 15_00],
    ['2026-08-03', 'grocer', 'GROCER', 'shopping', 1_00, 0],
  ])
})

test('adds the payments of two accounts to a payee on a day', async () => {
  const ann = await somebody()
  const account = { holderId: ann.customer.id, code: 'card', asset: 'USD' } as const
  const [currentAccountId = 0] = await openAccounts(runOn(server.deps.pool), [account])
  const card = { ...ann, customer: { ...ann.customer, currentAccountId } }
  await spend(card, { name: 'Loader', category: 'income', amountMinor: -50_00, on: '2026-08-01' })
  await spend(ann, { amountMinor: 5_00, on: '2026-08-02' })
  await spend(card, { amountMinor: 6_00, category: 'shopping', on: '2026-08-02' })
  expect(await readPayments(ann, '2026-08-02')).toEqual([['2026-08-02', 'grocer', 'Grocer', 'shopping', 0, 11_00]])
})

test('is read by the month for any number of days and categories', async () => {
  const ann = await somebody()
  for (let day = 1; day <= 27; day += 1) {
    const on = `2026-08-${String(day).padStart(2, '0')}`
    for (const category of ['food', 'shopping'] as const) await spend(ann, { amountMinor: day, category, on })
  }
  const accounts = await summedAccounts(server.deps, ann.customer.id)
  await inTransaction(server.deps.db, async (trx) => {
    const rowsRead = async (): Promise<number> => {
      const { rows } = await sql<{ read: number }>`
        SELECT sum(seq_tup_read + idx_tup_fetch) AS read FROM pg_stat_xact_user_tables
         WHERE relname IN ('payee_day', 'payee_month')`.execute(trx)
      return rows[0]?.read ?? 0
    }
    const before = await rowsRead()
    expect(await readPaymentsSince(trx, accounts, '2026-08-01')).toHaveLength(28)
    // The two rows are the grocer and the payer.
    expect((await rowsRead()) - before).toBe(2)
  })
})

test('is deleted with the customer', async () => {
  const ann = await somebody()
  await spend(ann, { amountMinor: 5_00, on: '2026-08-02' })
  expect(await readPayments(ann, '2026-08-01')).toHaveLength(1)
  await inTransaction(server.deps.db, async (trx) => {
    for (const slice of server.deps.slices) await slice.closeCustomer?.(trx, ann.customer.id)
  })
  const run = runOn(server.deps.pool)
  for (const table of ['payee_day', 'payee_month']) {
    const { rows } = await run(`SELECT FROM bank.${table} WHERE account_id = $1`, [ann.customer.currentAccountId])
    expect(rows).toEqual([])
  }
})
