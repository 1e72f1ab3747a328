import { type Selectable, type ShallowDehydrateObject, sql } from 'kysely'
import { CHANGEABLE_DECLINES, type ChangeableDecline } from '#contract/path-after-decline.ts'
import { defineUnanswered, type UnansweredContext, MAX_UNANSWERED } from '#server/bank/unanswered.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import type { Database } from '#server/platform/db/schema.ts'

/** The time for which a declined payment is shown, in milliseconds of business time. */
const FRESH_MS = 2 * DAY_MS

/**
 * Recent declines of a customer's cards whose reason the customer can still remove. If a customer tried several times at one
 * shop, only the latest try counts, and that try may have been approved.
 */
export const unansweredDeclines = defineUnanswered({
  rows: (db, { clock }, customerId) =>
    db
      .selectFrom((from) =>
        from
          .selectFrom('bank.card_authorisation')
          .distinctOn('merchant')
          .select(['id', 'card_id', 'account_id', 'merchant', 'amount_minor', 'asset', 'reason', 'authorised_at'])
          .where('customer_id', '=', customerId)
          .where('authorised_at', '>', new Date(clock.businessNow().getTime() - FRESH_MS))
          .orderBy('merchant')
          .orderBy('authorised_at', 'desc')
          .orderBy('id', 'desc')
          .as('latest'),
      )
      .innerJoin('bank.card as card', 'card.id', 'latest.card_id')
      .select([
        'latest.id',
        'latest.account_id',
        'latest.merchant',
        'latest.amount_minor',
        'latest.asset',
        'latest.reason',
      ])
      .select([
        'card.id as card_id',
        'card.status',
        'card.abroad',
        'card.online',
        'card.contactless',
        'card.payment_limit_minor',
      ])
      .where('latest.reason', '=', sql<string>`ANY(${[...CHANGEABLE_DECLINES]})`)
      .orderBy('latest.authorised_at', 'desc')
      .limit(MAX_UNANSWERED),
  of(row, context) {
    const { id, card_id: cardId, merchant: name, amount_minor: amountMinor, asset } = row
    const reason = row.reason as ChangeableDecline
    return isSoStill(reason, row, context) ? { kind: 'declined', id, cardId, name, amountMinor, asset, reason } : null
  },
})

type DeclinedPaymentRow = ShallowDehydrateObject<
  Pick<Selectable<Database['bank.card_authorisation']>, 'account_id' | 'amount_minor'> &
    Pick<Selectable<Database['bank.card']>, 'status' | 'abroad' | 'online' | 'contactless' | 'payment_limit_minor'>
>

function isSoStill(
  reason: ChangeableDecline,
  declinedPayment: DeclinedPaymentRow,
  { accounts, policy }: UnansweredContext,
): boolean {
  const { account_id: accountId, amount_minor: amountMinor, payment_limit_minor: limitMinor } = declinedPayment
  const mostMinor = policy.cards.paymentMinor
  switch (reason) {
    case 'card_frozen':
      return declinedPayment.status === 'frozen'
    case 'abroad_off':
      return declinedPayment.status === 'active' && !declinedPayment.abroad
    case 'online_off':
      return declinedPayment.status === 'active' && !declinedPayment.online
    case 'contactless_off':
      return declinedPayment.status === 'active' && !declinedPayment.contactless
    case 'payment_limit':
      // A card's limit cannot be raised above the bank's own limit.
      return declinedPayment.status === 'active' && amountMinor > (limitMinor ?? mostMinor) && amountMinor <= mostMinor
    case 'insufficient_funds':
      return accounts.some((account) => account.id === accountId && account.availableMinor < amountMinor)
  }
}
