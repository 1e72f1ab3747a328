import type { PaymentMessage } from '#contract/card-scheme.ts'
import type { DeclineReason } from '#contract/decline-reasons.ts'
import type { CardRecord } from '#server/cards/card.ts'
import { cvvOf, readCardNumber } from '#server/cards/numbers.ts'
import { receiveMessage, type SchemeDeps } from '#server/card-scheme/receive.ts'
import type { Deps } from '#server/platform/deps.ts'

type Shopping = Pick<PaymentMessage, 'amountMinor' | 'merchant' | 'entry'> & {
  card: CardRecord
  /** The id of the payment. A repetition with the same id is the same payment. */
  id: string
}

/**
 * Simulates a customer's payment at a shop that captures at once, with the messages that a card scheme would send. Returns the
 * reason for a decline, or null if the card has paid. Throws the errors of `receiveMessage`.
 */
export async function payAtShop(
  deps: SchemeDeps & Pick<Deps, 'db'>,
  shopping: Shopping,
): Promise<DeclineReason | null> {
  const { id, card, amountMinor, merchant, entry } = shopping
  const number = await readCardNumber(deps, card)
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
