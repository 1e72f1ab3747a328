import type { DeclineReason } from '#contract/decline-reasons.ts'
import type { NoticeKind } from '#contract/notifications.ts'

/** The screen that notices of a kind are about. */
const SCREENS: Partial<Record<NoticeKind, string>> = {
  payment_received: '/transactions',
  payment_claimed: '/transactions',
  payment_expired: '/transactions',
  card_payment: '/transactions',
  card_refunded: '/transactions',
  top_up_settled: '/transactions',
  top_up_failed: '/add-money',
  top_up_returned: '/transactions',
  owed: '/add-money',
  owed_collected: '/transactions',
  goal_move_skipped: '/savings',
  goal_unlocking: '/savings',
  loan_offered: '/loans',
  loan_refused: '/loans',
  loan_offer_expired: '/loans',
  loan_disbursed: '/loans',
  loan_instalment_short: '/add-money',
  loan_late: '/add-money',
  loan_repaid: '/loans',
  kyc_approved: '/kyc',
  kyc_rejected: '/kyc',
  kyc_again: '/kyc',
  bill_group_invited: '/split-bill',
  premium_short: '/add-money',
  premium_ended: '/rewards',
  friend_joined: '/rewards',
  investment_update: '/invest',
  carbon_offset: '/carbon-footprint',
  budget_near: '/analytics',
  budget_spent: '/analytics',
  price_raised: '/analytics',
  crypto_order_filled: '/crypto',
  crypto_order_expired: '/crypto',
  crypto_bought: '/crypto',
  crypto_buy_skipped: '/crypto',
  investment_filled: '/invest',
  investment_cancelled: '/invest',
  investment_skipped: '/invest',
  scheduled_sent: '/transactions',
  scheduled_delayed: '/transfer',
  scheduled_skipped: '/transfer',
  new_feature: '/transfer',
}

/** The screen on which a customer does something about a declined card payment; all others are the cards'. */
const AFTER_DECLINE: Partial<Record<DeclineReason, string>> = {
  insufficient_funds: '/add-money',
  owes_bank: '/add-money',
  not_verified: '/kyc',
}

/** Where a notice leads: the one thing it is about, where it names one, or else the screen of its kind; null for nowhere. */
export function noticePath({ kind, params }: { kind: string; params: object }): string | null {
  const { transactionId, requestId, groupId, reason, month } = params as {
    transactionId?: unknown
    requestId?: unknown
    groupId?: unknown
    reason?: DeclineReason
    month?: unknown
  }
  if (typeof transactionId === 'string') return `/transaction-detail?id=${encodeURIComponent(transactionId)}`
  if (typeof requestId === 'string') return `/request?id=${encodeURIComponent(requestId)}`
  if (kind === 'card_declined') return (reason && AFTER_DECLINE[reason]) ?? '/cards'
  if (typeof groupId === 'string') return `/split-bill?group=${encodeURIComponent(groupId)}`
  if (typeof month === 'string') return `/statements?month=${encodeURIComponent(month)}`
  return SCREENS[kind as NoticeKind] ?? null
}
