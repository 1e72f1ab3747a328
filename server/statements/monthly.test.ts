import { afterAll, beforeAll, expect, test } from 'vitest'
import { noticePath } from '#contract/notices.ts'
import { statementReadyJob } from '#server/statements/monthly.ts'
import { testClock } from '#server/test/bank.ts'
import { type Person, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { takeTurn } from '#server/test/in-turn.ts'

const START = new Date('2026-08-28T09:41:00Z')
const clock = testClock(START)
let server: PeopleServer

beforeAll(async () => {
  server = await peopleServer({ clock: { ...clock, realNow: () => START } })
})
afterAll(() => server.close())

const tell = (day: string) => {
  clock.set(new Date(`${day}T00:10:00Z`))
  return takeTurn(statementReadyJob, server.deps)
}
const told = async ({ customer }: Person): Promise<unknown[]> => {
  const { rows } = await server.deps.pool.query(
    `SELECT params FROM bank.notification WHERE customer_id = $1 AND kind = 'statement_ready' ORDER BY params->>'month'`,
    [customer.id],
  )
  return rows.map(({ params }: { params: { month: string } }) => params.month)
}

test('after each month everybody is told once that its statement is ready', async () => {
  const ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  await tell('2026-08-28')
  // The month they joined in has not ended.
  expect(await told(ann)).toEqual([])
  await tell('2026-09-01')
  await tell('2026-09-01')
  expect(await told(ann)).toEqual(['2026-08'])
  // Two servers at once.
  await Promise.all([tell('2026-11-02'), tell('2026-11-02')])
  expect(await told(ann)).toEqual(['2026-08', '2026-09', '2026-10'])
  const bob = await server.person({ fullName: 'Bob May', email: 'bob@example.com' })
  await tell('2026-11-02')
  await tell('2026-12-01')
  expect(await told(bob)).toEqual(['2026-11'])
  // A date put forward by years is told of the last one alone.
  await tell('2031-12-01')
  expect((await told(bob)).slice(1)).toHaveLength(12)
  expect((await told(bob)).at(-1)).toBe('2031-11')
})

test('the notice leads to the statement of its month', () => {
  expect(noticePath({ kind: 'statement_ready', params: { month: '2026-08' } })).toBe('/statements?month=2026-08')
})
