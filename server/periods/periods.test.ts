import pg from 'pg'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccounts } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { areStatisticsOld, isPeriodDue } from '#server/ledger/periods.ts'
import { runIn } from '#server/platform/db/run.ts'
import { beginPeriod, beginPeriodJob, LEDGER_PERIODS, statisticsJob } from '#server/periods/jobs.ts'
import { type TestDeps, testDeps } from '#server/test/bank.ts'
import { runAsOwner } from '#server/test/database.ts'

let bank: TestDeps
beforeAll(async () => {
  bank = await testDeps()
  const [account = 0] = await openAccounts(runIn(bank.deps.db), [
    { holderId: randomUUID(), code: 'current', asset: 'USD' },
  ])
  await bank.deps.ledger.postAll(
    Array.from({ length: 1_500 }, () => {
      const id = randomUUID()
      const legs = [{ kind: 'transfer', debit: bankAccount('ach_clearing'), credit: account, amountMinor: 1 } as const]
      return { id, kind: 'test', fingerprint: id, bookedAt: new Date(), legs }
    }),
  )
})
afterAll(() => bank.close())

const newest = async (): Promise<unknown> =>
  (await bank.deps.pool.query('SELECT max(number) AS number FROM ledger.period')).rows[0]?.['number']

test('a period that is large enough ends with its month, when no long read of the ledger is open', async () => {
  const run = runIn(bank.deps.db)
  expect(await beginPeriodJob.isDue?.(bank.deps)).toBe(false)
  await runAsOwner(
    bank.database.ownerUrl,
    `ALTER TABLE ledger.period DISABLE TRIGGER USER; UPDATE ledger.period SET began_at = now() - interval '32 days';
     ALTER TABLE ledger.period ENABLE TRIGGER USER; UPDATE ledger.period_rule SET ends_from_bytes = 8192`,
  )
  expect(await beginPeriodJob.isDue?.(bank.deps)).toBe(true)
  const reader = await bank.deps.pool.connect()
  await reader.query('BEGIN; SELECT count(*) FROM ledger.operation')
  expect(await beginPeriod(bank.deps, LEDGER_PERIODS, { least: 1, most: 2 })).toBeNull()
  expect(await newest()).toBe(1)
  await reader.query('COMMIT')
  reader.release()
  await beginPeriodJob.run(bank.deps, {})
  expect(await newest()).toBe(2)
  expect(await isPeriodDue(run)).toBe(false)
})

test(
  'old statistics of all periods are refreshed if PostgreSQL does not clean up their tables',
  { timeout: 30_000 },
  async () => {
    const run = runIn(bank.deps.db)
    await runAsOwner(bank.database.ownerUrl, 'ANALYZE ledger.transfer_1')
    expect(await areStatisticsOld(run)).toBe(true)
    expect(await statisticsJob.isDue?.(bank.deps)).toBe(true)
    // This lock is the one PostgreSQL takes while it vacuums a table.
    const owner = new pg.Client({ connectionString: bank.database.ownerUrl })
    await owner.connect()
    await owner.query('BEGIN; LOCK TABLE ledger.transfer IN SHARE UPDATE EXCLUSIVE MODE')
    await statisticsJob.run(bank.deps, {})
    expect(await areStatisticsOld(run)).toBe(true)
    await owner.end()
    await statisticsJob.run(bank.deps, {})
    expect(await areStatisticsOld(run)).toBe(false)
  },
)
