import { afterAll, beforeAll, expect, test } from 'vitest'
import { adviceFigures, categoryBreakdown, monthlySpending } from '#server/insights/service.ts'
import { type PeopleServer, peopleServer } from '#server/test/people.ts'

let server: PeopleServer

beforeAll(async () => {
  server = await peopleServer()
})
afterAll(() => server.close())

// The story's figures are checked in server/sample; what is checked here is a customer who has none.
test('a new customer has spent nothing, and nothing is divided by it', async () => {
  const { customer } = await server.person({ fullName: 'Nina New', email: 'nina@example.com' })
  expect(await monthlySpending(server.deps, customer.id, 3)).toEqual(
    ['2026-06', '2026-07', '2026-08'].map((month) => ({ month, spentMinor: 0 })),
  )
  const breakdown = await categoryBreakdown(server.deps, customer.id)
  expect(breakdown.map(({ spentMinor, percent }) => [spentMinor, percent])).toEqual(breakdown.map(() => [0, 0]))
  expect(await adviceFigures(server.deps, customer.id)).toEqual({ setAsideMinor: 0, diningChangePercent: null })
})
