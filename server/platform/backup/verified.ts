import type { Run } from '#server/platform/db/run.ts'

/** A nightly proof may take some hours longer than the one before. */
const EXPECTED_WITHIN_HOURS = 26

/** Notes that a backup of this bank has been restored and proved. */
export async function noteVerified(run: Run): Promise<void> {
  await run(`INSERT INTO bank.verified_backup AS v (verified_at) VALUES (now())
             ON CONFLICT (one) DO UPDATE SET verified_at = excluded.verified_at`)
}

/** Whether backups were verified once, and not since the night before. A bank that never did it may do without backups. */
export async function isVerificationLate(run: Run): Promise<boolean> {
  const { rows } = await run(
    'SELECT FROM bank.verified_backup WHERE verified_at < now() - make_interval(hours => $1)',
    [EXPECTED_WITHIN_HOURS],
  )
  return rows.length > 0
}
