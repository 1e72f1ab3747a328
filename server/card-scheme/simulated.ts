import type { PaymentMessage } from '#contract/card-scheme.ts'
import type { DeclineReason } from '#contract/decline-reasons.ts'
import type { Card } from '#server/cards/card.ts'
import { cvvOf, numberOf } from '#server/cards/numbers.ts'
import { receiveMessage, type SchemeDeps } from '#server/card-scheme/receive.ts'
import type { Deps } from '#server/platform/deps.ts'

type Shopping = Pick<PaymentMessage, 'amountMinor' | 'merchant' | 'entry'> & {
  card: Card
  /** Names the payment for ever: told again, it is the same. */
  id: string
}

/**
 * A customer pays at a shop, which captures at once, as a card scheme would tell the bank of both. Answers why the card was
 * declined, or null where it has paid. Throws what receiveMessage does.
 */
export async function payAtShop(
  deps: SchemeDeps & Pick<Deps, 'db'>,
  shopping: Shopping,
): Promise<DeclineReason | null> {
  const { id, card, amountMinor, merchant, entry } = shopping
  const number = await numberOf(deps, card)
  const [year = '', month = ''] = card.expiresOn.split('-')
  const answer = await receiveMessage(deps, {
    type: 'authorise',
    messageId: `${id}.authorise`,
    authorisationId: id,
    card: { number, expiry: `${month}/${year.slice(2)}`, cvv: cvvOf(deps, { number, expiresOn: card.expiresOn }) },
    entry,
    amountMinor,
    asset: 'USD',
    merchant,
  })
  if (answer.reason) return answer.reason
  const about = { messageId: `${id}.capture`, authorisationId: id, amountMinor, asset: 'USD' as const }
  await receiveMessage(deps, { type: 'capture', final: true, ...about })
  return null
}
