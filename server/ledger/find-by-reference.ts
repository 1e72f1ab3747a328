import type { Run } from '#server/platform/db/run.ts'
import type { AccountId } from '#server/ledger/types.ts'

/** The maximum number of results. A longer list would not help a search. */
const LIMIT = 50

/**
 * Returns the operations behind an account's statement whose SHA-256 digest begins with the given bits ('01101…'). The digest
 * is over `purpose`, a line feed and the operation's id. A value that a slice derives from such a digest can thus be searched
 * without being stored.
 */
export async function findOperationsByDigest(
  run: Run,
  accountId: AccountId,
  purpose: string,
  bits: string,
): Promise<string[]> {
  const { rows } = await run(
    `SELECT origin_id FROM (
       SELECT coalesce(hold_id, operation_id) AS origin_id FROM ledger.entry WHERE account_id = $1
       UNION
       SELECT hold_id FROM ledger.unposted_hold WHERE debit_account = $1
       UNION
       SELECT hold_id FROM ledger.unposted_hold WHERE credit_account = $1
     ) origin
     WHERE starts_with(
       ('x' || encode(sha256(convert_to($2 || E'\\n' || origin_id::text, 'UTF8')), 'hex'))::bit(256)::text, $3)
     LIMIT ${LIMIT}`,
    [accountId, purpose, bits],
  )
  return rows.map((row) => row['origin_id'] as string)
}

/**
 * Returns the accounts whose money an operation moved or held. `originId` is the operation's id, or the id of the hold that
 * began the operation.
 */
export async function findAccountsOfOperation(run: Run, originId: string): Promise<AccountId[]> {
  const { rows } = await run(
    `SELECT debit_account, credit_account FROM ledger.transfer WHERE operation_id = $1
      UNION
     SELECT debit_account, credit_account FROM ledger.transfer WHERE hold_id = $1 AND kind = 'hold'`,
    [originId],
  )
  return rows.flatMap((row) => [row['debit_account'] as AccountId, row['credit_account'] as AccountId])
}
