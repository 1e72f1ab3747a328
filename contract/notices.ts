import { afterDecline } from '#contract/path-after-decline.ts'
import type { DeclineReason } from '#contract/decline-reasons.ts'
import type { Fact, FactsOf } from '#contract/notice-facts.ts'
import type { NoticeTopic } from '#contract/notice-topics.ts'

/**
 * The properties of a kind of notice. `icon` is a Lucide icon (web/notifications/notice-icons.ts). `path` is the screen to
 * which the notice links, with parameters in braces; null if the notice has no link. `facts` are the groups of parameters.
 */
type Row = readonly [topic: NoticeTopic, icon: string, tint: string, path: `/${string}` | null, ...facts: Fact[]]

/** All kinds of notices. Their texts are in contract/notice-texts.ts. */
export const NOTICES = {
  /** `name` is the payer. */
  payment_received: ['money_in', 'ArrowDownLeft', 'primary', '/transactions', 'money', 'name', 'transaction'],
  /** `name` is the recipient, in this kind and the next. */
  payment_claimed: ['money_out', 'Handshake', 'primary', '/transactions', 'money', 'name'],
  payment_expired: ['money_out', 'Undo2', 'plain', '/transactions', 'money', 'name'],
  /** `name` is the requester, in this kind and the next two. */
  request_received: ['requests', 'HandCoins', 'primary', '/request?id={requestId}', 'money', 'name', 'request'],
  request_from_stranger: ['requests', 'HandCoins', 'plain', '/request?id={requestId}', 'money', 'name', 'request'],
  request_reminder: ['requests', 'BellRing', 'orange', '/request?id={requestId}', 'money', 'name', 'request'],
  /** `name` is the payer of the request, in this kind and the next. */
  request_paid: ['requests', 'ArrowDownLeft', 'primary', '/request?id={requestId}', 'money', 'name', 'request', 'part'],
  request_declined: ['requests', 'CircleAlert', 'plain', '/request?id={requestId}', 'money', 'name', 'request'],
  request_expired: ['requests', 'FileClock', 'plain', '/request?id={requestId}', 'money', 'request'],
  /** `name` is the shop. */
  card_payment: ['cards', 'CreditCard', 'blue', '/transactions', 'money', 'name', 'transaction'],
  /** `name` is the shop where the card payment was declined. */
  card_declined: ['cards', 'CircleX', 'danger', '/cards', 'money', 'name', 'decline'],
  /** `name` is the shop that refunded the payment. */
  card_refunded: ['cards', 'Undo2', 'primary', '/transactions', 'money', 'name', 'transaction'],
  /** `name` is the shop, in all three kinds about disputes. */
  dispute_credited: ['cards', 'Bell', 'plain', null, 'money', 'name', 'transaction'],
  dispute_upheld: ['cards', 'Bell', 'plain', null, 'money', 'name', 'transaction'],
  dispute_rejected: ['cards', 'Bell', 'plain', null, 'money', 'name', 'transaction'],
  /** `dueOn` is the last day on which the card works with its old expiry date. */
  card_renewed: ['cards', 'Bell', 'plain', null, 'card', 'day'],
  cashback_paid: ['money', 'Bell', 'plain', null, 'money'],
  /** `name` is the shop, or the sender of a recalled transfer; '' for other causes. */
  owed: ['money', 'CircleAlert', 'danger', '/add-money', 'money', 'cause', 'name'],
  owed_collected: ['money', 'BadgeCheck', 'primary', '/transactions', 'money', 'left'],
  top_up_settled: ['money_in', 'Plus', 'primary', '/transactions', 'money', 'method'],
  top_up_failed: ['money_in', 'CircleAlert', 'danger', '/add-money', 'money', 'method'],
  top_up_returned: ['money_in', 'Undo2', 'plain', '/transactions', 'money', 'method'],
  /** `name` is the sender, in this kind and the next. */
  transfer_recalled: ['money_in', 'Undo2', 'plain', '/transactions', 'money', 'name'],
  transfer_sent_back: ['money_in', 'CircleAlert', 'danger', null, 'money', 'name', 'sentBack'],
  /** `name` is the name of the external account, in this kind and the next two. */
  // No setting switches this notice off, because money can leave to the account from now on.
  account_verified: ['security', 'Bell', 'plain', null, 'name'],
  payout_settled: ['money', 'Bell', 'plain', null, 'money', 'name'],
  payout_returned: ['money', 'Bell', 'plain', null, 'money', 'name', 'returned'],
  /** `name` is the biller, in all four kinds about direct debits. */
  mandate_requested: ['money', 'Bell', 'plain', null, 'name'],
  debit_announced: ['money', 'Bell', 'plain', null, 'money', 'name', 'day'],
  debit_collected: ['money', 'Bell', 'plain', null, 'money', 'name'],
  debit_unpaid: ['money', 'Bell', 'plain', null, 'money', 'name', 'unpaid'],
  /** `name` is the goal. The monthly amount was not moved, because the current account had too little money. */
  goal_move_skipped: ['savings', 'PiggyBank', 'orange', '/savings', 'money', 'name'],
  /** `name` is the goal. No setting switches this notice off, because another person may have unlocked the goal. */
  goal_unlocking: ['security', 'LockOpen', 'orange', '/savings', 'name', 'unlocks'],
  /**
   * The meaning of `amountMinor` in each of the kinds about loans. In the first three, it is the amount of the application. In
   * `loan_disbursed`, it is the amount paid out. In `loan_instalment_short`, it is the installment. In `loan_late`, it is the
   * fee. In `loan_repaid`, it is the principal.
   */
  // No setting switches `security` notices off. Such a notice may be the only sign that a loan was paid out or that an
  // installment is overdue.
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
  /** `name` is the person who sent the invitation. */
  bill_group_invited: ['requests', 'UsersRound', 'primary', '/split-bill?group={groupId}', 'name', 'group'],
  premium_short: ['money_out', 'CircleAlert', 'danger', '/add-money', 'money'],
  premium_ended: ['money_out', 'Crown', 'plain', '/rewards'],
  friend_joined: ['news', 'UserPlus', 'primary', '/rewards'],
  investment_update: ['investing', 'TrendingUp', 'purple', '/invest', 'update'],
  /** An order was filled. `amountMinor` is the cost of a purchase or the proceeds of a sale. */
  investment_filled: ['investing', 'TrendingUp', 'primary', '/invest', 'money', 'side', 'fund'],
  /** The bank canceled an order because it could not be filled. */
  investment_cancelled: ['investing', 'CircleAlert', 'danger', '/invest', 'side', 'fund'],
  /** The order of a recurring investment was not placed on its date. */
  investment_skipped: ['investing', 'CalendarX', 'danger', '/invest', 'money', 'fund', 'uninvested'],
  new_feature: ['news', 'Sparkles', 'orange', '/transfer', 'feature'],
  /** `name` is the recipient, in this kind and the next two. */
  scheduled_sent: ['money_out', 'CalendarCheck', 'primary', '/transactions', 'money', 'name'],
  scheduled_delayed: ['money_out', 'CalendarClock', 'orange', '/transfer', 'money', 'name', 'delayed'],
  scheduled_skipped: ['money_out', 'CalendarX', 'danger', '/transfer', 'money', 'name', 'delayed'],
  /**
   * `name` is the coin, in all kinds about coins. `amountMinor` is the cost of a purchase including the fee, or the proceeds of
   * a sale after the fee.
   */
  crypto_order_filled: ['investing', 'TrendingUp', 'orange', '/crypto', 'money', 'side', 'name'],
  crypto_order_expired: ['investing', 'FileClock', 'plain', '/crypto', 'side', 'name'],
  crypto_bought: ['investing', 'TrendingUp', 'orange', '/crypto', 'money', 'name'],
  crypto_buy_skipped: ['investing', 'CalendarX', 'danger', '/crypto', 'money', 'name', 'unbought'],
  /** `amountMinor` is the budget, in this kind and the next. */
  budget_near: ['money_out', 'ChartPie', 'orange', '/analytics', 'money', 'category'],
  budget_spent: ['money_out', 'ChartPie', 'danger', '/analytics', 'money', 'category'],
  /** `name` is the payee. `amountMinor` is the new price. */
  price_raised: ['money_out', 'TrendingUp', 'orange', '/analytics', 'money', 'name', 'before'],
  carbon_offset: ['money_out', 'Leaf', 'primary', '/carbon-footprint', 'money', 'offset'],
  statement_ready: ['statements', 'FileText', 'blue', '/statements?month={month}', 'month'],
  /** A notice of an earlier version, which stored its texts. */
  earlier: ['security', 'Bell', 'plain', null, 'sentences'],
} as const satisfies Record<string, Row>

type Rows = typeof NOTICES
export type NoticeKind = keyof Rows

export type NoticeParams = {
  [Kind in NoticeKind]: Rows[Kind] extends readonly [unknown, unknown, unknown, unknown, ...infer Facts]
    ? FactsOf<Facts>
    : never
}

/** The content of a notice: its kind and its parameters. */
export type NoticeContent = { [Kind in NoticeKind]: { kind: Kind; params: NoticeParams[Kind] } }[NoticeKind]

/** Returns the properties of a kind of notice; undefined for a kind that this version does not have. */
export const noticeRowOf = (kind: string): Rows[NoticeKind] | undefined =>
  Object.hasOwn(NOTICES, kind) ? NOTICES[kind as NoticeKind] : undefined

/**
 * Returns the path to which a notice links: the path of its transaction, or else the path of its kind. Returns null if the
 * notice has no link.
 */
export function noticePath({ kind, params }: { kind: string; params: object }): string | null {
  const facts = params as Record<string, unknown>
  if (typeof facts['transactionId'] === 'string')
    return `/transaction-detail?id=${encodeURIComponent(facts['transactionId'])}`
  if (kind === 'card_declined') return afterDecline(facts as { reason: DeclineReason; cardId?: string })
  const path: string | null = noticeRowOf(kind)?.[3] ?? null
  return path && path.replaceAll(/\{(\w+)\}/g, (_, fact: string) => encodeURIComponent(String(facts[fact])))
}
