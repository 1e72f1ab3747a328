import type { Run } from '#server/platform/db/run.ts'
import type { LedgerRefusal, Operation } from '#server/ledger/types.ts'

/**
 * How long a refusal is remembered, real time: a repeated request that was delayed on its way must not succeed by then,
 * and no client repeats one for longer (docs/decisions/0042).
 */
export const REFUSAL_KEPT_MS = 24 * 60 * 60 * 1_000

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
