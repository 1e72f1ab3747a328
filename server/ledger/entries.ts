import type { Run } from '#server/platform/db/run.ts'
import type { AccountId } from '#server/ledger/types.ts'

/** An account's balance after its entry numbered `version`. */
export type BalanceAfter = { version: number; bookedAt: Date; balanceMinor: number }

/** Returns the balances of accounts after each of their entries from `version` on, in the order of booking. */
export async function balancesFrom(
  run: Run,
  accounts: readonly { id: AccountId; version: number }[],
): Promise<Map<AccountId, BalanceAfter[]>> {
  // `OFFSET 0` keeps PostgreSQL from merging the subquery (0042_flat_reads.sql).
  const { rows } = await run(
    `SELECT given.id, entry.version, entry.booked_at, entry.balance_minor
       FROM unnest($1::bigint[], $2::bigint[]) given (id, version),
            LATERAL (SELECT * FROM ledger.entry
                      WHERE account_id = given.id AND version >= given.version OFFSET 0) entry
      ORDER BY given.id, entry.version`,
    [accounts.map(({ id }) => id), accounts.map(({ version }) => version)],
  )
  const balances = new Map<AccountId, BalanceAfter[]>(accounts.map(({ id }) => [id, []]))
  for (const row of rows) {
    balances.get(row['id'] as AccountId)?.push({
      version: row['version'] as number,
      bookedAt: row['booked_at'] as Date,
      balanceMinor: row['balance_minor'] as number,
    })
  }
  return balances
}

/** Returns the business time of an account's first entry; null if it has none. */
export async function firstBookedAt(run: Run, accountId: AccountId): Promise<Date | null> {
  const { rows } = await run('SELECT booked_at FROM ledger.entry WHERE account_id = $1 AND version = 1', [accountId])
  return (rows[0]?.['booked_at'] as Date | undefined) ?? null
}
