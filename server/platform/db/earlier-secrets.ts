import type { Run } from '#server/platform/db/run.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import type { Secret } from '#server/platform/secrets/derived-key.ts'
import { seal, unseal } from '#server/platform/secrets/sealed.ts'

const nameOf = (place: number) => ({ kind: 'earlier secret', owner: String(place) })

/** What the bank was told of its secrets, with those that its database keeps of before. Throws StartError where none of these opens them. */
export async function withEarlierSecrets<Told extends Secret>(
  run: Run,
  told: Told,
): Promise<Told & { earlierSecrets: string[] }> {
  const { rows } = await run('SELECT place, sealed FROM bank.earlier_secret WHERE place >= 0 ORDER BY place')
  const kept = rows.map((row) => {
    try {
      return unseal(told, nameOf(row['place'] as number), row['sealed'] as Buffer).toString()
    } catch {
      throw new StartError(
        'The secrets that this bank had before do not open with BANK_SECRET: set BANK_SECRET_PREVIOUS to the one before it.',
      )
    }
  })
  const others = (told.earlierSecrets ?? []).filter((secret) => secret !== told.secret && !kept.includes(secret))
  return { ...told, earlierSecrets: [...kept, ...others] }
}

/** Keeps them in the database under the secret of now, as its owner. Belongs into one transaction. */
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
