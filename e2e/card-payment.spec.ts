import { randomUUID } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import type { Goal, GoalList } from '#contract/savings.ts'
import { readFromBank, readAvailable, readNewest, openWithLiveEvents, originOf, visit } from './bank.ts'

const savedIn = async (page: Page, name: string): Promise<Goal> => {
  const goal = (await readFromBank<GoalList>(page, '/goals')).goals.find((candidate) => candidate.name === name)
  if (!goal) throw new Error(`There is no goal ${name}`)
  return goal
}
const points = async (page: Page) => (await readFromBank<{ points: number }>(page, '/rewards')).points
const cashback = async (page: Page) =>
  (await readFromBank<{ cashback: { thisMonthMinor: number } }>(page, '/cards')).cashback.thisMonthMinor

test('a card payment abroad is rounded up into a goal, earns points and cashback, and shows the saved amount live', async ({
  page,
}) => {
  await visit(page)
  const goal = await savedIn(page, 'Vacation Fund')
  const origin = await originOf(page)
  const headers = { origin, 'idempotency-key': randomUUID() }
  const roundUpsAnswer = await page.request.put('/api/v1/round-ups', { headers, data: { goalId: goal.id, times: 2 } })
  expect(roundUpsAnswer.ok()).toBe(true)
  const stateBefore = {
    available: await readAvailable(page),
    points: await points(page),
    cashback: await cashback(page),
  }

  const charge = { headers: { origin, 'idempotency-key': randomUUID() }, data: { where: 'abroad', amountMinor: 37_40 } }
  await openWithLiveEvents(page, '/savings')
  expect((await page.request.post('/api/v1/sample/charges', charge)).status()).toBe(200)
  // The round-up to the next dollar, doubled.
  await expect(page.getByRole('main').getByRole('region', { name: 'Vacation Fund' })).toContainText('$2,451.20')
  expect((await savedIn(page, 'Vacation Fund')).savedMinor).toBe(goal.savedMinor + 1_20)
  await expect.poll(() => points(page)).toBe(stateBefore.points + 25)
  expect(await readAvailable(page)).toBe(stateBefore.available - 37_40 - 1_20)
  expect(await cashback(page)).toBe(stateBefore.cashback + 37)
  expect((await readNewest(page, 2)).map(({ amountMinor }) => amountMinor).toSorted((a, b) => a - b)).toEqual([
    -37_40, -1_20,
  ])
})
