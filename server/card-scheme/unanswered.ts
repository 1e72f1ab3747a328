import { type Selectable, type ShallowDehydrateObject, sql } from 'kysely'
import { CHANGEABLE_DECLINES, type ChangeableDecline } from '#contract/after-decline.ts'
import { defineUnanswered, type Standing, UNANSWERED_MOST } from '#server/bank/unanswered.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import type { Database } from '#server/platform/db/schema.ts'

/** For how long a declined payment is worth coming back to, in milliseconds of business time. */
const FRESH_MS = 2 * DAY_MS

/**
 * Payments that a customer's cards declined lately for what can be changed and was not yet. Of several tries at a shop the
 * latest counts, which may have been approved.
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
      .limit(UNANSWERED_MOST),
  of(row, standing) {
    const { id, card_id: cardId, merchant: name, amount_minor: amountMinor, asset } = row
    const reason = row.reason as ChangeableDecline
    return isSoStill(reason, row, standing) ? { kind: 'declined', id, cardId, name, amountMinor, asset, reason } : null
  },
})

type Declined = ShallowDehydrateObject<
  Pick<Selectable<Database['bank.card_authorisation']>, 'account_id' | 'amount_minor'> &
    Pick<Selectable<Database['bank.card']>, 'status' | 'abroad' | 'online' | 'contactless' | 'payment_limit_minor'>
>

function isSoStill(reason: ChangeableDecline, declined: Declined, { accounts, policy }: Standing): boolean {
  const { account_id: accountId, amount_minor: amountMinor, payment_limit_minor: limitMinor } = declined
  const mostMinor = policy.cards.paymentMinor
  switch (reason) {
    case 'card_frozen':
      return declined.status === 'frozen'
    case 'abroad_off':
      return declined.status === 'active' && !declined.abroad
    case 'online_off':
      return declined.status === 'active' && !declined.online
    case 'contactless_off':
      return declined.status === 'active' && !declined.contactless
    case 'payment_limit':
      // No limit lets a card pay more than the bank's own.
      return declined.status === 'active' && amountMinor > (limitMinor ?? mostMinor) && amountMinor <= mostMinor
    case 'insufficient_funds':
      return accounts.some((account) => account.id === accountId && account.availableMinor < amountMinor)
  }
}
