import type { Run } from '#server/platform/db/run.ts'
import type { AccountId } from '#server/ledger/types.ts'

/** The number of latest entries of each counterparty's account that are searched. */
const RECENT = 500

/** Returns the accounts among `counterpartyIds` that recently paid `accountId` or were paid by it. */
export async function findRecentCounterparties(
  run: Run,
  accountId: AccountId,
  counterpartyIds: AccountId[],
): Promise<Set<AccountId>> {
  if (counterpartyIds.length === 0) return new Set()
  const { rows } = await run(
    `SELECT a.id FROM ledger.account a
      WHERE a.id = ANY ($2::bigint[])
        AND (EXISTS (SELECT 1 FROM ledger.transfer t
                      WHERE t.credit_account = a.id AND t.credit_version > a.version - ${RECENT}
                        AND t.amount_minor > 0 AND t.debit_account = $1)
          OR EXISTS (SELECT 1 FROM ledger.transfer t
                      WHERE t.debit_account = a.id AND t.debit_version > a.version - ${RECENT}
                        AND t.amount_minor > 0 AND t.credit_account = $1))`,
    [accountId, counterpartyIds],
  )
  return new Set(rows.map((row) => Number(row['id'])))
}
