import type { Run } from '#server/platform/db/run.ts'

/**
 * Returns the row counts of tables from which rows are never deleted. With `minutesAgo`, counts only the operations and
 * transfers that were booked earlier than that, and leaves out the accounts.
 */
export async function countLedger(run: Run, minutesAgo?: number): Promise<Record<string, number>> {
  const booked = minutesAgo === undefined ? '' : `WHERE booked_at < now() - interval '${minutesAgo} minutes'`
  const { rows } = await run(
    `SELECT (SELECT count(*) FROM ledger.operation ${booked})::float8 AS operations,
            (SELECT count(*) FROM ledger.transfer ${booked})::float8 AS transfers
            ${minutesAgo === undefined ? ', (SELECT count(*) FROM ledger.account)::float8 AS accounts' : ''}`,
  )
  return rows[0] as Record<string, number>
}
