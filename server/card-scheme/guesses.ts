import type { Transaction } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

type Guesses = { wrong: number; since: Date; locked_until: Date | null }

/** Wrong CVVs and expiry dates of cards, which the caller has locked; those of none are left out. */
export async function guessesOf(trx: Transaction<Database>, cardIds: string[]): Promise<ReadonlyMap<string, Guesses>> {
  if (cardIds.length === 0) return new Map()
  const rows = await trx.selectFrom('bank.card_guess').selectAll().where('card_id', 'in', cardIds).execute()
  return new Map(rows.map(({ card_id, ...guesses }) => [card_id, guesses]))
}

/** Whether the card cannot pay online at this moment of real time. */
export function isLocked({ clock }: Pick<Deps, 'clock'>, guesses: Guesses | undefined): boolean {
  const until = guesses?.locked_until ?? null
  return until !== null && until > clock.realNow()
}

/** Counts a wrong guess; the last one that is allowed locks. Answers whether it did. */
export async function countGuess(
  { clock, policy }: Pick<Deps, 'clock' | 'policy'>,
  trx: Transaction<Database>,
  cardId: string,
  before: Guesses | undefined,
): Promise<boolean> {
  const { most, withinMs, lockMs } = policy.cardScheme.guesses
  const now = clock.realNow()
  const goesOn =
    before !== undefined && before.locked_until === null && now.getTime() - before.since.getTime() < withinMs
  const wrong = goesOn ? before.wrong + 1 : 1
  const locks = wrong >= most
  const counted = {
    wrong,
    since: goesOn ? before.since : now,
    locked_until: locks ? new Date(now.getTime() + lockMs) : null,
  }
  await trx
    .insertInto('bank.card_guess')
    .values({ card_id: cardId, ...counted })
    .onConflict((conflict) => conflict.column('card_id').doUpdateSet(counted))
    .execute()
  return locks
}
