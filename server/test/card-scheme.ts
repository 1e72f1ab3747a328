import { randomUUID } from 'node:crypto'
import type { CardAnswer, PaymentMessage } from '#contract/card-scheme.ts'
import { findCard } from '#server/cards/card.ts'
import { cvvOf, readCardNumber } from '#server/cards/numbers.ts'
import { cardPaymentDetail } from '#server/card-scheme/payment.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import type { Deps } from '#server/platform/deps.ts'
import { sign } from '#server/platform/signature.ts'

export const SCHEME_SECRET = 'a secret between the bank and the card scheme'

/** The details on a physical card, as its holder would read them to a shop. */
export type Plastic = { number: string; expiry: string; cvv: string }

export async function plasticOf(deps: Deps, customerId: string, cardId: string): Promise<Plastic> {
  const card = await findCard(deps, customerId, cardId)
  if (!card) throw new Error('They have no such card')
  const number = await readCardNumber(deps, card)
  const [year = '', month = ''] = card.expiresOn.split('-')
  return { number, expiry: `${month}/${year.slice(2)}`, cvv: cvvOf(deps, { number, expiresOn: card.expiresOn }) }
}

/** Returns the scheme's request for a payment of $40.00 at a bookshop in the bank's country, with changes. */
export const authorizationRequest = (card: Plastic, changes: Partial<PaymentMessage> = {}): PaymentMessage => ({
  type: 'authorise',
  messageId: randomUUID(),
  authorisationId: randomUUID(),
  card,
  entry: 'online',
  amountMinor: 40_00,
  asset: 'USD',
  merchant: { name: 'Fieldnote Books', mcc: '5942', city: 'Portland', country: 'US' },
  ...changes,
})

export type MessageSigning = { secret?: string; at?: Date; body?: string }

/** Sends a message to the bank as the scheme does. */
export function sendCardMessage(
  server: { url: string; deps: Deps },
  message: unknown,
  how: MessageSigning = {},
): Promise<Response> {
  const body = how.body ?? JSON.stringify(message)
  const { timestamp, signature } = sign(how.secret ?? SCHEME_SECRET, body, how.at ?? server.deps.clock.realNow())
  return fetch(`${server.url}/hooks/cards`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'alder-timestamp': timestamp, 'alder-signature': signature },
    body,
  })
}

/** Returns 'approved', 'done', the reason of a decline, or the code of a refusal; 'nothing' for any other response. */
export async function outcomeOf(response: Response | Promise<Response>): Promise<string> {
  const body = (await (await response).json()) as Partial<CardAnswer> & { error?: { code: string } }
  return body.error?.code ?? body.reason ?? body.outcome ?? 'nothing'
}

type Payment = {
  card: Parameters<typeof cardPaymentDetail>[0] & { accountId: AccountId }
  merchant: string
  mcc: string
  amountMinor: number
  bookedAt: Date
}

/** Returns the ledger's operation for a captured payment. */
export function capturedPayment({ card, amountMinor, bookedAt, ...shop }: Payment): Operation {
  const sides = { debit: card.accountId, credit: bankAccount('card_scheme') }
  return {
    id: randomUUID(),
    kind: 'card.capture',
    fingerprint: 'test',
    bookedAt,
    legs: [{ kind: 'transfer', ...sides, amountMinor, detail: cardPaymentDetail(card, shop) }],
  }
}
