import { SLICES } from '#server/api.ts'
import { type Claim, checkClaim, connectAsOwner, secretCheckOf } from '#server/platform/db/record.ts'
import { type Run, runOn } from '#server/platform/db/run.ts'
import { takeLock } from '#server/platform/db/patient-lock.ts'
import { ensureServingRole, servingRole } from '#server/platform/db/serving-role.ts'
import { othersSecretServes } from '#server/platform/jobs/presence.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { keepEarlierSecrets, withEarlierSecrets } from '#server/platform/db/earlier-secrets.ts'
import { resealColumn, type SealedColumn } from '#server/platform/db/sealed-column.ts'
import type { Slice } from '#server/platform/slice.ts'

/** Any number will do; two who rotate at once would do everything twice. */
const ROTATION_LOCK = 4_117_203_313

/** Everything that the bank seals. */
export const SEALED: readonly SealedColumn[] = (SLICES as readonly Slice[]).flatMap(({ sealed = [] }) => sealed)

/**
 * Has everything that is sealed open with the secret of now, and the database know that this one is the bank's: after it, the
 * previous one is needed no more. It may be stopped at any moment and begun again; servers go on meanwhile. `say` is told how
 * far it is, and who is in its way; `patienceMs` is for tests. Throws StartError where servers still make things with another secret.
 */
export async function rotate(
  claim: Claim,
  say: (sentence: string) => void,
  waiting: { patienceMs?: number } = {},
): Promise<void> {
  const { ownerUrl, secret } = claim
  const client = await connectAsOwner(ownerUrl)
  const run = runOn(client)
  try {
    await takeLock(client, { ownerUrl, lock: ROTATION_LOCK, who: 'The change of secrets', say, ...waiting })
    const { grantee } = await checkClaim(run, claim)
    if (await othersSecretServes(run, claim))
      throw new StartError(
        'A server still runs that seals with another secret: start each with BANK_SECRET as it is here, and then rotate.',
      )
    await ensureServingRole({ client, ownerUrl, secret }, grantee)
    const config = await withEarlierSecrets(run, claim)
    await together(run, () => keepEarlierSecrets(run, config))
    for (const sealed of SEALED) {
      const { rows, resealed } = await resealColumn(run, config, sealed)
      say(`${sealed.table}: ${resealed} of ${rows} sealed anew`)
    }
    await run('UPDATE bank.database SET secret_check = $1', [secretCheckOf({ secret })])
    say('BANK_SECRET_PREVIOUS may go. Keep that secret with the backups of before today: they open with no other.')
    for (const earlier of config.earlierSecrets)
      say(
        `Where no other bank on this PostgreSQL has it, end its role's right to log in: ALTER ROLE ${servingRole(earlier)} NOLOGIN;`,
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
