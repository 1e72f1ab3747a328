import type { Run } from '#server/platform/db/run.ts'
import { WITHDRAWN } from '#server/platform/once.ts'
import { KEPT_FOR } from '#server/platform/retention.ts'
import type { LedgerRefusal, Operation } from '#server/ledger/types.ts'

/**
 * How long a refusal is remembered, real time: a repeated request that was delayed on its way must not succeed by then,
 * and no client repeats one for longer (docs/decisions/0042).
 */
export const REFUSAL_KEPT_MS = KEPT_FOR['ledger refusal'].ms

/** The most that one statement forgets, so that none holds locks for long. */
const PURGE_BATCH = 5_000

type Known = { fingerprint: string; refusal: LedgerRefusal | null }

/** What is known of an operation's id: that it was applied, or else how it was refused; null where nothing is. */
export async function findKnown(run: Run, operationId: string): Promise<Known | null> {
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

type Refused = Pick<Operation, 'id' | 'fingerprint'>

/** Remembers a refusal, unless something is known of the id already. */
export async function rememberRefusal(run: Run, { id, fingerprint }: Refused, refusal: LedgerRefusal): Promise<void> {
  await run(
    `INSERT INTO ledger.refusal (operation_id, fingerprint, code)
     SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT 1 FROM ledger.operation WHERE id = $1)
     ON CONFLICT (operation_id) DO NOTHING`,
    [id, fingerprint, refusal],
  )
}

/**
 * Refuses an operation before it comes, unless it was applied: from now on its id is refused, as long as refusals are
 * remembered. Answers whether it was applied. Runs in the caller's SQL transaction. An operation decided meanwhile is seen,
 * because it locks an account of `holderId`, whose request it is, and so does this.
 * An operation that moved money of others alone, or that others asked for, is none of the holder's and was not applied.
 */
export async function withdraw(run: Run, operationId: string, holderId: string): Promise<boolean> {
  await run('SELECT id FROM ledger.account WHERE holder_id = $1 ORDER BY id FOR NO KEY UPDATE', [holderId])
  const { rows } = await run(
    `SELECT requested_by = $2 OR EXISTS (
              SELECT FROM ledger.transfer t JOIN ledger.account a ON a.id IN (t.debit_account, t.credit_account)
               WHERE t.operation_id = o.id AND a.holder_id = $2) AS own
       FROM ledger.operation o WHERE id = $1`,
    [operationId, holderId],
  )
  const [applied] = rows
  if (applied) return applied['own'] === true
  // One that was refused a while ago is to be remembered for as long from now on.
  await run(
    `INSERT INTO ledger.refusal (operation_id, fingerprint, code) VALUES ($1, $2, 'idempotency_key_reused')
     ON CONFLICT (operation_id) DO UPDATE SET refused_at = now()`,
    [operationId, WITHDRAWN],
  )
  return false
}

/** Forgets the refusals from before an instant of real time, and answers how many. For a job, once an hour or so. */
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
