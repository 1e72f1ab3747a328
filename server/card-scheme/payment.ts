import { DAY_MS } from '#server/platform/durations.ts'
import type { Selectable, Transaction } from 'kysely'
import type { PaymentMessage } from '#contract/card-scheme.ts'
import { MERCHANT_KIND } from '#contract/categories.ts'
import { Refusal } from '#contract/errors.ts'
import type { CardRecord } from '#server/cards/card.ts'
import { lockCard } from '#server/cards/card-usage.ts'
import { merchantsOf } from '#server/card-scheme/merchant-codes.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { Detail } from '#server/ledger/types.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

/** A card payment as the bank stores it from the authorization request on. */
export type AuthorizationRow = Selectable<Database['bank.card_authorisation']>

/** A payment with its card, both locked, and the id of the message that changes it. */
export type LockedPayment = { payment: AuthorizationRow; card: CardRecord; messageId: string; now: Date }

/** Returns the description of a payment with this card at such a merchant. */
export function cardPaymentDetail(
  card: Pick<CardRecord, 'type' | 'kind' | 'lastFour'>,
  { merchant, mcc }: Pick<AuthorizationRow, 'merchant' | 'mcc'>,
): Detail {
  const { category, kind } = merchantsOf(mcc)
  return {
    debitName: merchant,
    category,
    method: card.kind === 'main' ? `${card.type}_card` : 'virtual_card',
    params: { lastFour: card.lastFour, ...(kind ? { [MERCHANT_KIND]: kind } : {}) },
  }
}

/** Returns the leg that holds an amount on a card's account for a payment. */
export const holdLeg = (
  card: CardRecord,
  row: Pick<AuthorizationRow, 'merchant' | 'mcc' | 'expires_at'>,
  amountMinor: number,
) => ({
  kind: 'hold' as const,
  debit: card.accountId,
  credit: bankAccount('card_scheme'),
  amountMinor,
  detail: cardPaymentDetail(card, row),
  expiresAt: row.expires_at,
})

/** Returns the description of a refund: the description of the payment with the names of the two sides swapped. */
export function refundDetail(...paymentArguments: Parameters<typeof cardPaymentDetail>): Detail {
  const { debitName = '', ...rest } = cardPaymentDetail(...paymentArguments)
  return { ...rest, creditName: debitName }
}

/** Returns a payment's columns from the scheme's message. The caller adds the columns of the decision. */
export function paymentColumns(
  { policy }: Pick<Deps, 'policy'>,
  message: PaymentMessage,
  { card, at }: { card: CardRecord | null; at: Date },
) {
  const { merchant, amountMinor, asset, authorisationId, entry, type } = message
  return {
    scheme_id: authorisationId,
    card_id: card?.id ?? null,
    customer_id: card?.customerId ?? null,
    account_id: card?.accountId ?? null,
    amount_minor: amountMinor,
    asset,
    advised: type === 'advise',
    entry,
    merchant: merchant.name,
    mcc: merchant.mcc,
    city: merchant.city ?? null,
    country: merchant.country,
    abroad: merchant.country !== policy.cardScheme.country,
    authorised_at: at,
    expires_at: new Date(at.getTime() + policy.cardScheme.heldDays * DAY_MS),
  }
}

/** Returns the payments with these scheme ids. */
export async function paymentsBySchemeId(
  trx: Transaction<Database>,
  schemeIds: string[],
): Promise<ReadonlyMap<string, AuthorizationRow>> {
  const rows = await trx.selectFrom('bank.card_authorisation').selectAll().where('scheme_id', 'in', schemeIds).execute()
  return new Map(rows.map((row) => [row.scheme_id, row]))
}

/** The first capture of a payment, which earned its points. */
export type FirstCapture = { operationId: string; amountMinor: number }

/** Returns the first captures of the payments with these scheme ids, by the payment's id. */
export async function firstCapturesOf(
  trx: Transaction<Database>,
  schemeIds: string[],
): Promise<ReadonlyMap<string, FirstCapture>> {
  if (schemeIds.length === 0) return new Map()
  const rows = await trx
    .selectFrom('bank.card_capture as c')
    .innerJoin('bank.card_authorisation as p', 'p.id', 'c.authorisation_id')
    .select(['c.authorisation_id', 'c.operation_id', 'c.amount_minor'])
    .distinctOn('c.authorisation_id')
    .where('p.scheme_id', 'in', schemeIds)
    .orderBy('c.authorisation_id')
    .orderBy('c.place')
    .execute()
  return new Map(
    rows.map((row) => [row.authorisation_id, { operationId: row.operation_id, amountMinor: row.amount_minor }]),
  )
}

/**
 * Locks a payment and its card until the SQL transaction ends. All code locks the card before the payment. Returns null if
 * there is no such payment or the payment was declined.
 */
export async function lockPayment(
  trx: Transaction<Database>,
  schemeId: string,
): Promise<{ payment: AuthorizationRow; card: CardRecord } | null> {
  const rows = await trx
    .selectFrom('bank.card_authorisation')
    .select('card_id')
    .where('scheme_id', '=', schemeId)
    .executeTakeFirst()
  const card = rows?.card_id ? await lockCard(trx, rows.card_id) : null
  if (!card) return null
  const payment = await trx
    .selectFrom('bank.card_authorisation')
    .selectAll()
    .where('scheme_id', '=', schemeId)
    .where('status', '<>', 'declined')
    .forNoKeyUpdate()
    .executeTakeFirst()
  return payment ? { payment, card } : null
}

/**
 * Throws Refusal `balance_not_zero` if a shop may still capture a payment of a customer who closes the account, because the
 * bank would pay that capture. An advised payment counts even if it has no hold because the customer had no money. The caller
 * must have locked the cards, so that no payment is added meanwhile.
 */
export async function refuseOpenPayments(trx: Transaction<Database>, customerId: string): Promise<void> {
  const openPayment = await trx
    .selectFrom('bank.card_authorisation')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('status', '=', 'held')
    .limit(1)
    .executeTakeFirst()
  if (openPayment) throw new Refusal('balance_not_zero')
}
