import type pg from 'pg'
import { expect } from 'vitest'
import { auditBooks } from '#server/ledger/books.ts'
import { createLedger } from '#server/ledger/ledger.ts'
import type { Ledger } from '#server/ledger/types.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { type Run, runOn } from '#server/platform/db/run.ts'
import { testDatabase, type TestDatabase } from '#server/test/database.ts'

export type TestLedger = {
  database: TestDatabase
  pool: pg.Pool
  run: Run
  ledger: Ledger
  /** Closes it and drops its database, and expects that something was booked and that the books prove it. */
  closeProved(): Promise<void>
}

/** A ledger on a fresh database of its own. */
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
