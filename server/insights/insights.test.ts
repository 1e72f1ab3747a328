import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Category, MERCHANT_KIND, type MerchantKind } from '#contract/categories.ts'
import { openFigures } from '#server/advisor/figures/figures.ts'
import { readSavingAdvice } from '#server/insights/saving-advice.ts'
import { diningOut } from '#server/insights/months/dining.ts'
import { lastMonths } from '#server/insights/months/months.ts'
import { recategorize } from '#server/insights/months/recategorize.ts'
import { testClock } from '#server/test/bank.ts'
import { bookCardPayment } from '#server/test/card-payment.ts'
import { type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'

const START = new Date('2026-09-03T09:00:00.000Z')
const clock = { ...testClock(START), realNow: () => START }
let server: PeopleServer
let people = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(() => server.close())
beforeEach(() => clock.set(START))

function somebody(): Promise<TestPerson> {
  people += 1
  return server.person({ fullName: `Person ${people}`, email: `insights.${people}@example.com` })
}

type TestMovement = { amountMinor: number; category: Category; on: string; kind?: MerchantKind }

/** Books income if the amount is positive, else a payment. Returns the transaction's id. */
function move(person: TestPerson, { amountMinor, category, on, kind }: TestMovement): Promise<string> {
  return bookCardPayment(server, person, {
    amountMinor: -amountMinor,
    bookedAt: new Date(`${on}T08:00:00Z`),
    detail: {
      debitName: 'A name',
      creditName: 'A name',
      category,
      method: 'debit_card',
      params: { lastFour: '0000', ...(kind && { [MERCHANT_KIND]: kind }) },
    },
  })
}

// Tests in server/sample check the figures of the sample history. The customer here has no sample history.
test('a new customer has no spending, and no division by zero happens', async () => {
  const { customer } = await somebody()
  const months = await lastMonths(server.deps, customer.id, 3)
  expect(months.map(({ month, spentMinor }) => [month, spentMinor])).toEqual(
    ['2026-07', '2026-08', '2026-09'].map((month) => [month, 0]),
  )
  expect(months.flatMap(({ categories }) => categories.map(({ percent }) => percent))).toEqual(
    months.flatMap(() => [0, 0, 0, 0, 0]),
  )
  expect(await readSavingAdvice(server.deps, customer)).toEqual({ setAsideMinor: 0, incomeMinor: 0, expensesMinor: 0 })
  expect(await diningOut(server.deps, customer.id)).toEqual({ nowMinor: 0, beforeMinor: 0 })
})

describe('the amount that can be set aside', () => {
  test('comes from the last whole months, not from days before the salary', async () => {
    const ann = await somebody()
    // The account was opened during June, so June is not a whole month.
    await move(ann, { amountMinor: 9_000_00, category: 'income', on: '2026-06-20' })
    for (const month of ['07', '08']) {
      await move(ann, { amountMinor: 3_000_00, category: 'income', on: `2026-${month}-25` })
      await move(ann, { amountMinor: -1_900_00, category: 'bills', on: `2026-${month}-26` })
    }
    await move(ann, { amountMinor: -400_00, category: 'shopping', on: '2026-09-02' })
    const advice = { setAsideMinor: 100_00, incomeMinor: 3_000_00, expensesMinor: 1_900_00 }
    expect(await readSavingAdvice(server.deps, ann.customer)).toEqual(advice)
  })

  test('comes from the current month if it is the first', async () => {
    const ann = await somebody()
    await move(ann, { amountMinor: 2_000_00, category: 'income', on: '2026-09-02' })
    await move(ann, { amountMinor: -500_00, category: 'shopping', on: '2026-09-02' })
    expect(await readSavingAdvice(server.deps, ann.customer)).toMatchObject({ setAsideMinor: 150_00 })
  })
})

describe('dining out', () => {
  test('is the spending at restaurants, bars and cafés, compared with the same days of last month', async () => {
    const ann = await somebody()
    await move(ann, { amountMinor: 1_000_00, category: 'income', on: '2026-08-01' })
    await move(ann, { amountMinor: -20_00, category: 'food', on: '2026-08-01', kind: 'restaurant' })
    await move(ann, { amountMinor: -10_00, category: 'food', on: '2026-08-03', kind: 'coffee' })
    await move(ann, { amountMinor: -80_00, category: 'food', on: '2026-08-04', kind: 'restaurant' })
    await move(ann, { amountMinor: -90_00, category: 'food', on: '2026-08-02', kind: 'groceries' })
    await move(ann, { amountMinor: -33_00, category: 'food', on: '2026-09-01', kind: 'restaurant' })
    await move(ann, { amountMinor: 3_00, category: 'food', on: '2026-09-02', kind: 'restaurant' })
    await move(ann, { amountMinor: -45_00, category: 'food', on: '2026-09-02', kind: 'bakery' })
    await move(ann, { amountMinor: -55_00, category: 'food', on: '2026-09-02' })
    expect(await diningOut(server.deps, ann.customer.id)).toEqual({ nowMinor: 30_00, beforeMinor: 30_00 })
  })

  test('excludes payments to which the customer gave another category', async () => {
    const ann = await somebody()
    await move(ann, { amountMinor: 1_000_00, category: 'income', on: '2026-09-01' })
    await move(ann, { amountMinor: -20_00, category: 'food', on: '2026-09-01', kind: 'restaurant' })
    const id = await move(ann, { amountMinor: -50_00, category: 'food', on: '2026-09-02', kind: 'restaurant' })
    await recategorize(server.deps, ann.customer.id, id, { category: 'bills', scope: 'once' })
    expect(await diningOut(server.deps, ann.customer.id)).toEqual({ nowMinor: 20_00, beforeMinor: 0 })
  })
})

test('the advisor compares this month’s categories with the same days of last month', async () => {
  const ann = await somebody()
  await move(ann, { amountMinor: 1_000_00, category: 'income', on: '2026-07-01' })
  await move(ann, { amountMinor: -40_00, category: 'shopping', on: '2026-07-31' })
  await move(ann, { amountMinor: -20_00, category: 'shopping', on: '2026-08-03' })
  await move(ann, { amountMinor: -70_00, category: 'shopping', on: '2026-08-04' })
  await move(ann, { amountMinor: -30_00, category: 'shopping', on: '2026-09-02' })
  const figures = openFigures(server.deps, { ...ann.customer, language: null })
  expect(await figures.comparedWith(0)).toMatchObject({ spentMinor: 20_00 })
  // A finished month is compared with the whole previous month.
  expect(await figures.comparedWith(1)).toMatchObject({ spentMinor: 40_00, month: '2026-07' })
})
