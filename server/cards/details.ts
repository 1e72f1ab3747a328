import type { CardDetails } from '#contract/cards.ts'
import { type CardOwner, checkOwnCard } from '#server/cards/own-card.ts'
import { findCard } from '#server/cards/card.ts'
import { cvvOf, readCardNumber } from '#server/cards/numbers.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import type { Deps } from '#server/platform/deps.ts'

/** Returns a card's number, expiry and CVV, and logs that they were shown. Throws Refusal `not_found` and `card_removed`. */
export async function cardDetails(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  { customer, caller }: CardOwner,
  cardId: string,
): Promise<CardDetails> {
  const card = checkOwnCard(await findCard(deps, customer.id, cardId), customer.id)
  const number = await readCardNumber(deps, card)
  await recordSecurityEvent(deps, deps.db, { customerId: customer.id, kind: 'card_details_shown', caller })
  const { expiresOn } = card
  return { number, expiresOn, cvv: cvvOf(deps, { number, expiresOn }) }
}
