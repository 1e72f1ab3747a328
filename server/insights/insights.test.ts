import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Category, MERCHANT_KIND, type MerchantKind } from '#contract/categories.ts'
import { openFigures } from '#server/advisor/figures/figures.ts'
import { adviceFor } from '#server/insights/advice.ts'
import { diningOut } from '#server/insights/months/dining.ts'
import { lastMonths } from '#server/insights/months/months.ts'
import { recategorise } from '#server/insights/months/recategorise.ts'
import { testClock } from '#server/test/bank.ts'
import { bookCardPayment } from '#server/test/card-payment.ts'
import { type PeopleServer, peopleServer, type Person } from '#server/test/people.ts'

const START = new Date('2026-09-03T09:00:00.000Z')
const clock = { ...testClock(START), realNow: () => START }
let server: PeopleServer
let people = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(() => server.close())
beforeEach(() => clock.set(START))

function somebody(): Promise<Person> {
  people += 1
  return server.person({ fullName: `Person ${people}`, email: `insights.${people}@example.com` })
}

type Moved = { amountMinor: number; category: Category; on: string; kind?: MerchantKind }

/** Income where the amount is above zero, else a payment. Answers its id. */
function move(person: Person, { amountMinor, category, on, kind }: Moved): Promise<string> {
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

// The story's figures are checked in server/sample; what is checked here is a customer who has none.
test('a new customer has spent nothing, and nothing is divided by it', async () => {
  const { customer } = await somebody()
  const months = await lastMonths(server.deps, customer.id, 3)
  expect(months.map(({ month, spentMinor }) => [month, spentMinor])).toEqual(
    ['2026-07', '2026-08', '2026-09'].map((month) => [month, 0]),
  )
  expect(months.flatMap(({ categories }) => categories.map(({ percent }) => percent))).toEqual(
    months.flatMap(() => [0, 0, 0, 0, 0]),
  )
  expect(await adviceFor(server.deps, customer)).toEqual({ setAsideMinor: 0, incomeMinor: 0, expensesMinor: 0 })
  expect(await diningOut(server.deps, customer.id)).toEqual({ nowMinor: 0, beforeMinor: 0 })
})

describe('what can be set aside', () => {
  test('comes from the last whole months, not from the days of one that has no salary yet', async () => {
    const ann = await somebody()
    // The account was opened in June, which was no whole month of it.
    await move(ann, { amountMinor: 9_000_00, category: 'income', on: '2026-06-20' })
    for (const month of ['07', '08']) {
      await move(ann, { amountMinor: 3_000_00, category: 'income', on: `2026-${month}-25` })
      await move(ann, { amountMinor: -1_900_00, category: 'bills', on: `2026-${month}-26` })
    }
    await move(ann, { amountMinor: -400_00, category: 'shopping', on: '2026-09-02' })
    const advice = { setAsideMinor: 100_00, incomeMinor: 3_000_00, expensesMinor: 1_900_00 }
    expect(await adviceFor(server.deps, ann.customer)).toEqual(advice)
  })

  test('comes from the month that runs where it is the first', async () => {
    const ann = await somebody()
    await move(ann, { amountMinor: 2_000_00, category: 'income', on: '2026-09-02' })
    await move(ann, { amountMinor: -500_00, category: 'shopping', on: '2026-09-02' })
    expect(await adviceFor(server.deps, ann.customer)).toMatchObject({ setAsideMinor: 150_00 })
  })
})

describe('dining out', () => {
  test('is what restaurants, bars and cafés were paid, against the same days of last month', async () => {
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

  test('leaves out what the customer calls otherwise', async () => {
    const ann = await somebody()
    await move(ann, { amountMinor: 1_000_00, category: 'income', on: '2026-09-01' })
    await move(ann, { amountMinor: -20_00, category: 'food', on: '2026-09-01', kind: 'restaurant' })
    const id = await move(ann, { amountMinor: -50_00, category: 'food', on: '2026-09-02', kind: 'restaurant' })
    await recategorise(server.deps, ann.customer.id, id, { category: 'bills', scope: 'once' })
    expect(await diningOut(server.deps, ann.customer.id)).toEqual({ nowMinor: 20_00, beforeMinor: 0 })
  })
})

test("the advisor compares this month's categories with the same days of last month", async () => {
  const ann = await somebody()
  await move(ann, { amountMinor: 1_000_00, category: 'income', on: '2026-07-01' })
  await move(ann, { amountMinor: -40_00, category: 'shopping', on: '2026-07-31' })
  await move(ann, { amountMinor: -20_00, category: 'shopping', on: '2026-08-03' })
  await move(ann, { amountMinor: -70_00, category: 'shopping', on: '2026-08-04' })
  await move(ann, { amountMinor: -30_00, category: 'shopping', on: '2026-09-02' })
  const figures = openFigures(server.deps, { ...ann.customer, language: null })
  expect(await figures.comparedWith(0)).toMatchObject({ spentMinor: 20_00 })
  // A month that is over has the whole of the one before.
  expect(await figures.comparedWith(1)).toMatchObject({ spentMinor: 40_00, month: '2026-07' })
})
