import type { Insertable, Transaction } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

type Guesses = { wrong: number; since: Date; locked_until: Date | null }

/** Returns the wrong CVV and expiry guesses of cards that the caller has locked. Cards without wrong guesses are left out. */
export async function guessesOf(trx: Transaction<Database>, cardIds: string[]): Promise<ReadonlyMap<string, Guesses>> {
  if (cardIds.length === 0) return new Map()
  const rows = await trx.selectFrom('bank.card_guess').selectAll().where('card_id', 'in', cardIds).execute()
  return new Map(rows.map(({ card_id, ...guesses }) => [card_id, guesses]))
}

/** Whether the card cannot pay online at this moment of real time. */
export function isCardLocked({ clock }: Pick<Deps, 'clock'>, guesses: Guesses | undefined): boolean {
  const until = guesses?.locked_until ?? null
  return until !== null && until > clock.realNow()
}

/**
 * Returns a card's row of guesses after one more wrong guess. The guess that reaches the policy's maximum locks the card for
 * online payments.
 */
export function guessesAfter(
  { clock, policy }: Pick<Deps, 'clock' | 'policy'>,
  cardId: string,
  before: Guesses | undefined,
): Insertable<Database['bank.card_guess']> {
  const { most: maxGuesses, withinMs, lockMs } = policy.cardScheme.guesses
  const now = clock.realNow()
  const goesOn =
    before !== undefined && before.locked_until === null && now.getTime() - before.since.getTime() < withinMs
  const wrongGuesses = goesOn ? before.wrong + 1 : 1
  return {
    card_id: cardId,
    wrong: wrongGuesses,
    since: goesOn ? before.since : now,
    locked_until: wrongGuesses >= maxGuesses ? new Date(now.getTime() + lockMs) : null,
  }
}
