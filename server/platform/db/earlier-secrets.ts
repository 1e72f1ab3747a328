import type { Run } from '#server/platform/db/run.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import type { Secret } from '#server/platform/secrets/derived-key.ts'
import { seal, unseal } from '#server/platform/secrets/sealed.ts'

const nameOf = (place: number) => ({ kind: 'earlier secret', owner: String(place) })

/**
 * Returns the configured secrets together with the earlier secrets from the database. Throws StartError if the configured
 * secrets do not decrypt the earlier ones.
 */
export async function withEarlierSecrets<Told extends Secret>(
  run: Run,
  request: Told,
): Promise<Told & { earlierSecrets: string[] }> {
  const { rows } = await run('SELECT place, sealed FROM bank.earlier_secret WHERE place >= 0 ORDER BY place')
  const earlierSecrets = rows.map((row) => {
    try {
      return unseal(request, nameOf(row['place'] as number), row['sealed'] as Buffer).toString()
    } catch {
      throw new StartError(
        "This bank's earlier secrets cannot be decrypted with BANK_SECRET: set BANK_SECRET_PREVIOUS to the secret before it.",
      )
    }
  })
  const otherSecrets = (request.earlierSecrets ?? []).filter(
    (secret) => secret !== request.secret && !earlierSecrets.includes(secret),
  )
  return { ...request, earlierSecrets: [...earlierSecrets, ...otherSecrets] }
}

/** Stores the earlier secrets in the database, sealed with the current secret. Needs the owner's role and one transaction. */
export async function keepEarlierSecrets(
  run: Run,
  config: Secret & { earlierSecrets: readonly string[] },
): Promise<void> {
  for (const [place, secret] of config.earlierSecrets.entries()) {
    await run(
      `INSERT INTO bank.earlier_secret (place, sealed) VALUES ($1, $2)
       ON CONFLICT (place) DO UPDATE SET sealed = excluded.sealed`,
      [place, seal(config, nameOf(place), Buffer.from(secret))],
    )
  }
}
