import { DAY_MS } from '#server/platform/durations.ts'
import type { Selectable, Transaction } from 'kysely'
import type { PaymentMessage } from '#contract/card-scheme.ts'
import { MERCHANT_KIND } from '#contract/categories.ts'
import { Refusal } from '#contract/errors.ts'
import type { Card } from '#server/cards/card.ts'
import { lockCard } from '#server/cards/use.ts'
import { merchantsOf } from '#server/card-scheme/merchant-codes.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { Detail } from '#server/ledger/types.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

/** A card payment as the bank keeps it, from the scheme's question on. */
export type AuthorisationRow = Selectable<Database['bank.card_authorisation']>

/** A payment with its card, both locked, and what the message is called that changes it now. */
export type Clearing = { payment: AuthorisationRow; card: Card; messageId: string; now: Date }

/** How a payment with this card at such a merchant reads in a list. */
export function paymentDetail(
  card: Pick<Card, 'type' | 'kind' | 'lastFour'>,
  { merchant, mcc }: Pick<AuthorisationRow, 'merchant' | 'mcc'>,
): Detail {
  const { category, kind } = merchantsOf(mcc)
  return {
    debitName: merchant,
    category,
    method: card.kind === 'main' ? `${card.type}_card` : 'virtual_card',
    params: { lastFour: card.lastFour, ...(kind ? { [MERCHANT_KIND]: kind } : {}) },
  }
}

/** Sets so much of what a card has aside for a payment. */
export const holdLeg = (
  card: Card,
  row: Pick<AuthorisationRow, 'merchant' | 'mcc' | 'expires_at'>,
  amountMinor: number,
) => ({
  kind: 'hold' as const,
  debit: card.accountId,
  credit: bankAccount('card_scheme'),
  amountMinor,
  detail: paymentDetail(card, row),
  expiresAt: row.expires_at,
})

/** What a refund reads: the same from the other side. */
export function refundDetail(...of: Parameters<typeof paymentDetail>): Detail {
  const { debitName = '', ...rest } = paymentDetail(...of)
  return { ...rest, creditName: debitName }
}

/** A payment as the scheme's message tells it; the columns that decide it are the caller's. */
export function rowOf(
  { policy }: Pick<Deps, 'policy'>,
  message: PaymentMessage,
  { card, at }: { card: Card | null; at: Date },
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

/** The payments that the scheme calls so. */
export async function paymentsBySchemeId(
  trx: Transaction<Database>,
  schemeIds: string[],
): Promise<ReadonlyMap<string, AuthorisationRow>> {
  const rows = await trx.selectFrom('bank.card_authorisation').selectAll().where('scheme_id', 'in', schemeIds).execute()
  return new Map(rows.map((row) => [row.scheme_id, row]))
}

/** What was captured first of a payment: that part earned the points. */
export type FirstCapture = { operationId: string; amountMinor: number }

/** The same of payments that the scheme calls so, by the payment's id. */
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
 * One of them with its card, both locked until the SQL transaction ends: the card first, as everybody does. Null where there
 * is none, or where it was declined.
 */
export async function lockPayment(
  trx: Transaction<Database>,
  schemeId: string,
): Promise<{ payment: AuthorisationRow; card: Card } | null> {
  const found = await trx
    .selectFrom('bank.card_authorisation')
    .select('card_id')
    .where('scheme_id', '=', schemeId)
    .executeTakeFirst()
  const card = found?.card_id ? await lockCard(trx, found.card_id) : null
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
 * Throws Refusal `balance_not_zero` while a shop may still take a payment of a customer who closes, even one that nothing is
 * held of, because there was no money when it was advised: else the bank would pay for them. Called once their cards are
 * locked, so that none is added meanwhile.
 */
export async function refuseOpenPayments(trx: Transaction<Database>, customerId: string): Promise<void> {
  const open = await trx
    .selectFrom('bank.card_authorisation')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('status', '=', 'held')
    .limit(1)
    .executeTakeFirst()
  if (open) throw new Refusal('balance_not_zero')
}
