import type { CardDetails } from '#contract/cards.ts'
import { type Holder, usable } from '#server/cards/manage.ts'
import { findCard } from '#server/cards/card.ts'
import { cvvOf, numberOf } from '#server/cards/numbers.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import type { Deps } from '#server/platform/deps.ts'

/** What pays with a card; that it was shown is written down. Throws Refusal `not_found` and `card_removed`. */
export async function cardDetails(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  { customer, caller }: Holder,
  cardId: string,
): Promise<CardDetails> {
  const card = usable(await findCard(deps, customer.id, cardId), customer.id)
  const number = await numberOf(deps, card)
  await recordSecurityEvent(deps, deps.db, { customerId: customer.id, kind: 'card_details_shown', caller })
  const { expiresOn } = card
  return { number, expiresOn, cvv: cvvOf(deps, { number, expiresOn }) }
}
