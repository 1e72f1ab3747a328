import { afterDecline } from '#contract/after-decline.ts'
import type { DeclineReason } from '#contract/decline-reasons.ts'
import type { Fact, FactsOf } from '#contract/notice-facts.ts'
import type { NoticeTopic } from '#contract/notice-topics.ts'

/** `icon` is one of Lucide's (web/notifications/notice-icons.ts); `path` has facts in braces; null where a notice leads nowhere. */
type Row = readonly [topic: NoticeTopic, icon: string, tint: string, path: `/${string}` | null, ...facts: Fact[]]

/** Every kind of notice. Its words are in contract/notice-texts.ts. */
export const NOTICES = {
  /** `name`: who paid. */
  payment_received: ['money_in', 'ArrowDownLeft', 'primary', '/transactions', 'money', 'name', 'transaction'],
  /** `name`: whom the customer sent it to, both. */
  payment_claimed: ['money_out', 'Handshake', 'primary', '/transactions', 'money', 'name'],
  payment_expired: ['money_out', 'Undo2', 'plain', '/transactions', 'money', 'name'],
  /** `name`: who asks. */
  request_received: ['requests', 'HandCoins', 'primary', '/request?id={requestId}', 'money', 'name', 'request'],
  request_from_stranger: ['requests', 'HandCoins', 'plain', '/request?id={requestId}', 'money', 'name', 'request'],
  request_reminder: ['requests', 'BellRing', 'orange', '/request?id={requestId}', 'money', 'name', 'request'],
  /** `name`: who was asked, or who paid. */
  request_paid: ['requests', 'ArrowDownLeft', 'primary', '/request?id={requestId}', 'money', 'name', 'request', 'part'],
  request_declined: ['requests', 'CircleAlert', 'plain', '/request?id={requestId}', 'money', 'name', 'request'],
  request_expired: ['requests', 'FileClock', 'plain', '/request?id={requestId}', 'money', 'request'],
  /** `name`: where they paid. */
  card_payment: ['cards', 'CreditCard', 'blue', '/transactions', 'money', 'name', 'transaction'],
  /** `name`: where they tried to pay. */
  card_declined: ['cards', 'CircleX', 'danger', '/cards', 'money', 'name', 'decline'],
  /** `name`: who gave it back. */
  card_refunded: ['cards', 'Undo2', 'primary', '/transactions', 'money', 'name', 'transaction'],
  /** `name`: where they paid, both. */
  dispute_credited: ['cards', 'Bell', 'plain', null, 'money', 'name', 'transaction'],
  dispute_upheld: ['cards', 'Bell', 'plain', null, 'money', 'name', 'transaction'],
  dispute_rejected: ['cards', 'Bell', 'plain', null, 'money', 'name', 'transaction'],
  /** `dueOn`: the last day on which its old expiry pays. */
  card_renewed: ['cards', 'Bell', 'plain', null, 'card', 'day'],
  cashback_paid: ['money', 'Bell', 'plain', null, 'money'],
  /** `name`: of a card payment, where it was made; '' of all else. */
  owed: ['money', 'CircleAlert', 'danger', '/add-money', 'money', 'cause', 'name'],
  owed_collected: ['money', 'BadgeCheck', 'primary', '/transactions', 'money', 'left'],
  top_up_settled: ['money_in', 'Plus', 'primary', '/transactions', 'money', 'method'],
  top_up_failed: ['money_in', 'CircleAlert', 'danger', '/add-money', 'money', 'method'],
  top_up_returned: ['money_in', 'Undo2', 'plain', '/transactions', 'money', 'method'],
  /** `name`: who had sent it, both. */
  transfer_recalled: ['money_in', 'Undo2', 'plain', '/transactions', 'money', 'name'],
  transfer_sent_back: ['money_in', 'CircleAlert', 'danger', null, 'money', 'name', 'sentBack'],
  /** `name`: the account's, all three. */
  // No setting switches this off: from then on money can leave to the account.
  account_verified: ['security', 'Bell', 'plain', null, 'name'],
  payout_settled: ['money', 'Bell', 'plain', null, 'money', 'name'],
  payout_returned: ['money', 'Bell', 'plain', null, 'money', 'name', 'returned'],
  /** `name`: the biller's, of all direct debits. */
  mandate_requested: ['money', 'Bell', 'plain', null, 'name'],
  debit_announced: ['money', 'Bell', 'plain', null, 'money', 'name', 'day'],
  debit_collected: ['money', 'Bell', 'plain', null, 'money', 'name'],
  debit_unpaid: ['money', 'Bell', 'plain', null, 'money', 'name', 'unpaid'],
  /** `name`: the goal. There was less in the account than what it is given each month. */
  goal_move_skipped: ['savings', 'PiggyBank', 'orange', '/savings', 'money', 'name'],
  /** `name`: the goal. No setting switches this off: somebody else may have unlocked the goal. */
  goal_unlocking: ['security', 'LockOpen', 'orange', '/savings', 'name', 'unlocks'],
  /** `amountMinor`: what was applied for, the first three; what was paid out; the instalment; the fee; what was borrowed. */
  // No setting switches `security` off: a customer may learn only here that a loan was paid out, or is overdue.
  loan_offered: ['money', 'BadgeCheck', 'primary', '/loans', 'money'],
  loan_refused: ['money', 'BadgeX', 'plain', '/loans', 'money'],
  loan_offer_expired: ['money', 'FileClock', 'plain', '/loans', 'money'],
  loan_disbursed: ['security', 'ArrowDownLeft', 'primary', '/loans', 'money'],
  loan_instalment_short: ['security', 'CalendarX', 'orange', '/add-money', 'money', 'day'],
  loan_late: ['security', 'CircleAlert', 'danger', '/add-money', 'money', 'day'],
  loan_repaid: ['money', 'BadgeCheck', 'primary', '/loans', 'money'],
  kyc_approved: ['security', 'BadgeCheck', 'primary', '/kyc', 'review'],
  kyc_rejected: ['security', 'BadgeX', 'danger', '/kyc', 'review'],
  kyc_again: ['security', 'FileClock', 'orange', '/kyc', 'review'],
  /** `name`: who invited them. */
  bill_group_invited: ['requests', 'UsersRound', 'primary', '/split-bill?group={groupId}', 'name', 'group'],
  premium_short: ['money_out', 'CircleAlert', 'danger', '/add-money', 'money'],
  premium_ended: ['money_out', 'Crown', 'plain', '/rewards'],
  friend_joined: ['news', 'UserPlus', 'primary', '/rewards'],
  investment_update: ['investing', 'TrendingUp', 'purple', '/invest', 'update'],
  /** An order that was filled: what was paid to buy, or paid out. */
  investment_filled: ['investing', 'TrendingUp', 'primary', '/invest', 'money', 'side', 'fund'],
  /** An order that the bank took back because it could not fill it. */
  investment_cancelled: ['investing', 'CircleAlert', 'danger', '/invest', 'side', 'fund'],
  /** A date of a recurring investment for which no order was placed. */
  investment_skipped: ['investing', 'CalendarX', 'danger', '/invest', 'money', 'fund', 'uninvested'],
  new_feature: ['news', 'Sparkles', 'orange', '/transfer', 'feature'],
  /** `name`: whom the payment is for. */
  scheduled_sent: ['money_out', 'CalendarCheck', 'primary', '/transactions', 'money', 'name'],
  scheduled_delayed: ['money_out', 'CalendarClock', 'orange', '/transfer', 'money', 'name', 'delayed'],
  scheduled_skipped: ['money_out', 'CalendarX', 'danger', '/transfer', 'money', 'name', 'delayed'],
  /** `name`: the coin; the amount is what was paid or came in, fees settled. */
  crypto_order_filled: ['investing', 'TrendingUp', 'orange', '/crypto', 'money', 'side', 'name'],
  crypto_order_expired: ['investing', 'FileClock', 'plain', '/crypto', 'side', 'name'],
  crypto_bought: ['investing', 'TrendingUp', 'orange', '/crypto', 'money', 'name'],
  crypto_buy_skipped: ['investing', 'CalendarX', 'danger', '/crypto', 'money', 'name', 'unbought'],
  /** `amountMinor`: the budget. */
  budget_near: ['money_out', 'ChartPie', 'orange', '/analytics', 'money', 'category'],
  budget_spent: ['money_out', 'ChartPie', 'danger', '/analytics', 'money', 'category'],
  /** `name`: whom it is paid to; the amount is what it costs now. */
  price_raised: ['money_out', 'TrendingUp', 'orange', '/analytics', 'money', 'name', 'before'],
  carbon_offset: ['money_out', 'Leaf', 'primary', '/carbon-footprint', 'money', 'offset'],
  statement_ready: ['statements', 'FileText', 'blue', '/statements?month={month}', 'month'],
  /** Of a version that kept sentences. */
  earlier: ['security', 'Bell', 'plain', null, 'sentences'],
} as const satisfies Record<string, Row>

type Rows = typeof NOTICES
export type NoticeKind = keyof Rows

export type NoticeParams = {
  [Kind in NoticeKind]: Rows[Kind] extends readonly [unknown, unknown, unknown, unknown, ...infer Facts]
    ? FactsOf<Facts>
    : never
}

/** What a notice says, as a code and what differs from others of its kind. */
export type NoticeContent = { [Kind in NoticeKind]: { kind: Kind; params: NoticeParams[Kind] } }[NoticeKind]

/** The row of a kind; undefined for one that this version does not know. */
export const rowOf = (kind: string): Rows[NoticeKind] | undefined =>
  Object.hasOwn(NOTICES, kind) ? NOTICES[kind as NoticeKind] : undefined

/** Where a notice leads: to the transaction that it names, or else to the screen of its kind; null for nowhere. */
export function noticePath({ kind, params }: { kind: string; params: object }): string | null {
  const facts = params as Record<string, unknown>
  if (typeof facts['transactionId'] === 'string')
    return `/transaction-detail?id=${encodeURIComponent(facts['transactionId'])}`
  if (kind === 'card_declined') return afterDecline(facts as { reason: DeclineReason; cardId?: string })
  const path: string | null = rowOf(kind)?.[3] ?? null
  return path && path.replaceAll(/\{(\w+)\}/g, (_, fact: string) => encodeURIComponent(String(facts[fact])))
}
