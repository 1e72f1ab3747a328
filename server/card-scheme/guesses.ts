import type { Insertable, Transaction } from 'kysely'
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

/** What is kept of a card after one more wrong guess; the last one that is allowed locks. */
export function guessesAfter(
  { clock, policy }: Pick<Deps, 'clock' | 'policy'>,
  cardId: string,
  before: Guesses | undefined,
): Insertable<Database['bank.card_guess']> {
  const { most, withinMs, lockMs } = policy.cardScheme.guesses
  const now = clock.realNow()
  const goesOn =
    before !== undefined && before.locked_until === null && now.getTime() - before.since.getTime() < withinMs
  const wrong = goesOn ? before.wrong + 1 : 1
  return {
    card_id: cardId,
    wrong,
    since: goesOn ? before.since : now,
    locked_until: wrong >= most ? new Date(now.getTime() + lockMs) : null,
  }
}
