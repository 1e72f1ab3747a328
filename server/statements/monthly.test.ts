import { afterAll, beforeAll, expect, test } from 'vitest'
import { noticePath } from '#contract/notices.ts'
import { statementReadyJob } from '#server/statements/monthly.ts'
import { testClock } from '#server/test/bank.ts'
import { type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { runIfDue } from '#server/test/run-if-due.ts'

const START = new Date('2026-08-28T09:41:00Z')
const clock = testClock(START)
let server: PeopleServer

beforeAll(async () => {
  server = await peopleServer({ clock: { ...clock, realNow: () => START } })
})
afterAll(() => server.close())

const notifyOn = (day: string) => {
  clock.set(new Date(`${day}T00:10:00Z`))
  return runIfDue(statementReadyJob, server.deps)
}
const readStatementNotices = async ({ customer }: TestPerson): Promise<unknown[]> => {
  const { rows } = await server.deps.pool.query(
    `SELECT params FROM bank.notification WHERE customer_id = $1 AND kind = 'statement_ready' ORDER BY params->>'month'`,
    [customer.id],
  )
  return rows.map(({ params }: { params: { month: string } }) => params.month)
}

test('after each month every customer gets one notice of their statement', async () => {
  const ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  await notifyOn('2026-08-28')
  // The month in which the customer joined has not ended.
  expect(await readStatementNotices(ann)).toEqual([])
  await notifyOn('2026-09-01')
  await notifyOn('2026-09-01')
  expect(await readStatementNotices(ann)).toEqual(['2026-08'])
  // Two servers run the job at once.
  await Promise.all([notifyOn('2026-11-02'), notifyOn('2026-11-02')])
  expect(await readStatementNotices(ann)).toEqual(['2026-08', '2026-09', '2026-10'])
  const bob = await server.person({ fullName: 'Bob May', email: 'bob@example.com' })
  await notifyOn('2026-11-02')
  await notifyOn('2026-12-01')
  expect(await readStatementNotices(bob)).toEqual(['2026-11'])
  // After a jump of years, the customer is notified only of the last twelve months.
  await notifyOn('2031-12-01')
  expect((await readStatementNotices(bob)).slice(1)).toHaveLength(12)
  expect((await readStatementNotices(bob)).at(-1)).toBe('2031-11')
})

test('the notice links to the statement of its month', () => {
  expect(noticePath({ kind: 'statement_ready', params: { month: '2026-08' } })).toBe('/statements?month=2026-08')
})
