import type { Run } from '#server/platform/db/run.ts'

/**
 * The longest time between two verifications, in hours. A nightly verification may end two hours later than the one of the
 * night before.
 */
const EXPECTED_WITHIN_HOURS = 26

/** Records that a backup of this bank was restored and verified. */
export async function recordVerification(run: Run): Promise<void> {
  await run(`INSERT INTO bank.verified_backup AS v (verified_at) VALUES (now())
             ON CONFLICT (one) DO UPDATE SET verified_at = excluded.verified_at`)
}

/**
 * Returns whether the last verification of the backups is older than `EXPECTED_WITHIN_HOURS`. Returns false if no backup was
 * ever verified, because the bank may have no backups.
 */
export async function isVerificationLate(run: Run): Promise<boolean> {
  const { rows } = await run(
    'SELECT FROM bank.verified_backup WHERE verified_at < now() - make_interval(hours => $1)',
    [EXPECTED_WITHIN_HOURS],
  )
  return rows.length > 0
}
