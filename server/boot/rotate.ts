import { SLICES } from '#server/api.ts'
import { type DatabaseClaim, checkClaim, connectAsOwner, secretCheckOf } from '#server/platform/db/database-identity.ts'
import { type Run, runOn } from '#server/platform/db/run.ts'
import { takeLockPatiently } from '#server/platform/db/patient-lock.ts'
import { ensureServingRole, servingRole } from '#server/platform/db/serving-role.ts'
import { hasServerWithOtherSecret } from '#server/platform/jobs/presence.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { keepEarlierSecrets, withEarlierSecrets } from '#server/platform/db/earlier-secrets.ts'
import { resealColumn, type SealedColumn } from '#server/platform/db/sealed-column.ts'
import type { Slice } from '#server/platform/slice.ts'

/**
 * The number of the advisory lock for the change of secrets. The value is arbitrary. Without the lock, two changes at the same
 * time would do the work twice.
 */
const ROTATION_LOCK = 4_117_203_313

/** All encrypted columns of the bank. */
export const SEALED_COLUMNS: readonly SealedColumn[] = (SLICES as readonly Slice[]).flatMap(({ sealed = [] }) => sealed)

/**
 * Encrypts all encrypted values again with the current secret, and records this secret in the database as the bank's secret.
 * The previous secret is then no longer needed. The change may be stopped at any moment and started again, and the servers keep
 * running. `report` receives the progress and the sessions for which the change waits. `patienceMs` is for tests. Throws
 * StartError if a server still encrypts with another secret.
 */
export async function rotate(
  claim: DatabaseClaim,
  report: (sentence: string) => void,
  waiting: { patienceMs?: number } = {},
): Promise<void> {
  const { ownerUrl, secret } = claim
  const client = await connectAsOwner(ownerUrl)
  const run = runOn(client)
  try {
    await takeLockPatiently(client, { ownerUrl, lock: ROTATION_LOCK, who: 'The change of secrets', report, ...waiting })
    const { grantee } = await checkClaim(run, claim)
    if (await hasServerWithOtherSecret(run, claim))
      throw new StartError(
        'A running server still encrypts with another secret: restart every server with this BANK_SECRET, and then rotate.',
      )
    await ensureServingRole({ client, ownerUrl, secret }, grantee)
    const config = await withEarlierSecrets(run, claim)
    await together(run, () => keepEarlierSecrets(run, config))
    for (const sealed of SEALED_COLUMNS) {
      const { rows, resealed } = await resealColumn(run, config, sealed)
      report(`${sealed.table}: ${resealed} of ${rows} encrypted again`)
    }
    await run('UPDATE bank.database SET secret_check = $1', [secretCheckOf({ secret })])
    report(
      'BANK_SECRET_PREVIOUS can be removed. Keep that secret with all backups made before today: no other secret opens them.',
    )
    for (const earlierSecret of config.earlierSecrets)
      report(
        `If no other bank on this PostgreSQL uses it, take away its role's right to log in: ALTER ROLE ${servingRole(earlierSecret)} NOLOGIN;`,
      )
  } finally {
    await client.end()
  }
}

async function together(run: Run, work: () => Promise<void>): Promise<void> {
  await run('BEGIN')
  try {
    await work()
    await run('COMMIT')
  } catch (error) {
    await run('ROLLBACK')
    throw error
  }
}
