import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { expect } from 'vitest'
import { planBatch } from '#server/ledger/plan-batch.ts'
import { auditBooks } from '#server/ledger/audit.ts'
import { formerId } from '#server/ledger/derived-id.ts'
import { executeOn } from '#server/ledger/execute.ts'
import { createLedger } from '#server/ledger/ledger.ts'
import type { Ledger, Operation } from '#server/ledger/types.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { type Run, runOn } from '#server/platform/db/run.ts'
import { testDatabase, type TestDatabase } from '#server/test/database.ts'

export type TestLedger = {
  database: TestDatabase
  pool: pg.Pool
  run: Run
  ledger: Ledger
  /** Closes the ledger and drops its database. Fails if no operation was booked or the books are wrong. */
  closeProved(): Promise<void>
}

/** Opens a ledger on a new database. */
export async function testLedger(): Promise<TestLedger> {
  const database = await testDatabase()
  const pool = openPool(database.appUrl, { max: 4 })
  const run = runOn(pool)
  const ledger = createLedger({ url: database.appUrl })
  const closeProved = async (): Promise<void> => {
    const audit = await auditBooks(run)
    await ledger.close()
    await pool.end()
    await database.drop()
    expect(audit.problems).toEqual([])
    expect(audit.entries).toBeGreaterThan(0)
  }
  return { database, pool, run, ledger, closeProved }
}

/**
 * Waits until a seal can include all committed operations. A seal ends before the oldest running SQL transaction of the
 * PostgreSQL server, which tests of other files use at the same time.
 */
export async function waitUntilSealable(run: Run): Promise<void> {
  const { rows } = await run('SELECT pg_current_xact_id()::text AS now')
  for (;;) {
    const { rows: state } = await run('SELECT pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 AS sealable', [
      rows[0]?.['now'],
    ])
    if (state[0]?.['sealable'] === true) return
    await sleep(5)
  }
}

/** Books an operation with its id in the older form, which did not contain the slice's name. Returns the id. */
export async function bookAsBefore(pool: pg.Pool, { derivedFrom, ...operation }: Operation): Promise<string> {
  if (!derivedFrom) throw new TypeError('Only derived ids were others before')
  const formerOperation = { ...operation, id: formerId(derivedFrom) }
  const client = await pool.connect()
  try {
    const execute = executeOn(client)
    await execute({ text: 'BEGIN' })
    const { outcomes, write } = await planBatch(execute, [formerOperation], { ceilings: {}, remembers: true })
    expect(outcomes).toMatchObject([{ ok: true, booked: { replayed: false } }])
    await execute(...(write ? [write] : []), { text: 'COMMIT' })
  } finally {
    client.release()
  }
  return formerOperation.id
}
