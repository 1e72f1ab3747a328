import type { Run } from '#server/platform/db/run.ts'

/** How many rows there are of what is only ever added. */
export async function countLedger(run: Run): Promise<Record<string, number>> {
  const { rows } = await run(
    `SELECT (SELECT count(*) FROM ledger.operation)::float8 AS operations,
            (SELECT count(*) FROM ledger.transfer)::float8 AS transfers,
            (SELECT count(*) FROM ledger.account)::float8 AS accounts`,
  )
  return rows[0] as Record<string, number>
}
