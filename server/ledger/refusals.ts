import type { Run } from '#server/platform/db/run.ts'
import { WITHDRAWN } from '#server/platform/idempotency.ts'
import { KEPT_FOR } from '#server/platform/retention.ts'
import type { LedgerRefusal, Operation } from '#server/ledger/types.ts'

/**
 * The time for which a refusal is stored, in milliseconds of real time. A delayed repetition of a request must not succeed
 * within this time, and no client repeats a request for longer (docs/decisions/0042).
 */
export const REFUSAL_KEPT_MS = KEPT_FOR['ledger refusal'].ms

/** The maximum number of rows that one statement deletes, so that no statement holds locks for long. */
const PURGE_BATCH = 5_000

type EarlierOutcome = { fingerprint: string; refusal: LedgerRefusal | null }

/**
 * Returns the stored result of an operation's id; null if the id has no result. In a result, `refusal` is null if the operation
 * was applied.
 */
export async function findKnownResult(run: Run, operationId: string): Promise<EarlierOutcome | null> {
  const { rows } = await run(
    `SELECT fingerprint, NULL AS refusal FROM ledger.operation WHERE id = $1
     UNION ALL
     SELECT fingerprint, code FROM ledger.refusal WHERE operation_id = $1
     ORDER BY refusal NULLS FIRST LIMIT 1`,
    [operationId],
  )
  const [row] = rows
  return row ? { fingerprint: row['fingerprint'] as string, refusal: row['refusal'] as LedgerRefusal | null } : null
}

type RefusedOperation = Pick<Operation, 'id' | 'fingerprint'>

/** Stores a refusal unless the id already has a result. */
export async function rememberRefusal(
  run: Run,
  { id, fingerprint }: RefusedOperation,
  refusal: LedgerRefusal,
): Promise<void> {
  await run(
    `INSERT INTO ledger.refusal (operation_id, fingerprint, code)
     SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT 1 FROM ledger.operation WHERE id = $1)
     ON CONFLICT (operation_id) DO NOTHING`,
    [id, fingerprint, refusal],
  )
}

/**
 * Refuses an operation in advance, unless it was applied already. Returns true if it was applied for the holder. If it was not
 * applied, its id is refused for as long as refusals are stored. Runs in the caller's SQL transaction. A concurrent decision is
 * visible here, because it also locks an account of `holderId`, who requested the operation. An applied operation does not
 * count as the holder's if another person requested it and it moved none of the holder's money.
 */
export async function withdrawOperation(run: Run, operationId: string, holderId: string): Promise<boolean> {
  await run('SELECT id FROM ledger.account WHERE holder_id = $1 ORDER BY id FOR NO KEY UPDATE', [holderId])
  const { rows } = await run(
    `SELECT requested_by = $2 OR EXISTS (
              SELECT FROM ledger.transfer t JOIN ledger.account a ON a.id IN (t.debit_account, t.credit_account)
               WHERE t.operation_id = o.id AND a.holder_id = $2) AS own
       FROM ledger.operation o WHERE id = $1`,
    [operationId, holderId],
  )
  const [refusalRow] = rows
  if (refusalRow) return refusalRow['own'] === true
  // An existing refusal is kept, and its storage time starts again now.
  await run(
    `INSERT INTO ledger.refusal (operation_id, fingerprint, code) VALUES ($1, $2, 'idempotency_key_reused')
     ON CONFLICT (operation_id) DO UPDATE SET refused_at = now()`,
    [operationId, WITHDRAWN],
  )
  return false
}

/** Deletes the refusals from before an instant of real time and returns their number. A job calls it about once an hour. */
export async function purgeRefusals(run: Run, before: Date): Promise<number> {
  let purged = 0
  for (;;) {
    const { rows } = await run(
      `WITH old AS (SELECT operation_id FROM ledger.refusal WHERE refused_at < $1 ORDER BY refused_at LIMIT ${PURGE_BATCH}),
            gone AS (DELETE FROM ledger.refusal r USING old WHERE r.operation_id = old.operation_id RETURNING 1)
       SELECT count(*) AS n FROM gone`,
      [before],
    )
    const count = rows[0]?.['n'] as number
    purged += count
    if (count < PURGE_BATCH) return purged
  }
}
