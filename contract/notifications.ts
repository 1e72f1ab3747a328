import { z } from 'zod'
import { SPENDING } from '#contract/categories.ts'
import { declineReason } from '#contract/card-scheme.ts'
import { amountMinor, asset, day, instant } from '#contract/common.ts'
import { reviewReason } from '#contract/kyc.ts'
import { RETURN_REASONS } from '#contract/linked-accounts.ts'
import { FUNDS } from '#contract/markets.ts'
import { OWED_CAUSES } from '#contract/owed.ts'
import { NOTICE_TOPICS } from '#contract/notice-topics.ts'

const money = { amountMinor, asset }
/** The transaction that it is about, where a screen shows it. */
const transactionId = z.string().optional()
const name = z.string()
/** How the money was to come. Notices of earlier versions were all of a bank's. */
const method = z.enum(['card', 'bank', 'wallet']).default('bank')
const requestId = z.string()
const reason = reviewReason.nullable()
/** Why a scheduled payment was not made: there was too little money, or it was refused for another reason. */
const delayReason = z.enum(['funds', 'other'])

/** Why a direct debit was not paid. */
export const UNPAID_REASONS = ['insufficient_funds', 'limit', 'other'] as const
export type UnpaidReason = (typeof UNPAID_REASONS)[number]

/** Every kind of notice, and what one notice of it tells. The words are the reader's language's. */
export const NOTICE_PARAMS = {
  /** `name`: who paid. */
  payment_received: z.object({ ...money, name, transactionId }),
  /** `name`: whom the customer sent it to, both. */
  payment_claimed: z.object({ ...money, name }),
  payment_expired: z.object({ ...money, name }),
  /** `name`: who asks; `requestId` opens it. */
  request_received: z.object({ ...money, name, requestId }),
  request_from_stranger: z.object({ ...money, name, requestId }),
  request_reminder: z.object({ ...money, name, requestId }),
  /** `name`: who was asked, or who paid. */
  request_paid: z.object({ ...money, name, requestId, paid: z.enum(['part', 'all']) }),
  request_declined: z.object({ ...money, name, requestId }),
  request_expired: z.object({ ...money, requestId }),
  /** `name`: where they paid. */
  card_payment: z.object({ ...money, name, transactionId }),
  /** `name`: where they tried to pay. */
  card_declined: z.object({ ...money, name, reason: declineReason }),
  /** `name`: who gave it back. */
  card_refunded: z.object({ ...money, name, transactionId }),
  /** `name`: where they paid, both. */
  dispute_credited: z.object({ ...money, name, transactionId }),
  dispute_upheld: z.object({ ...money, name, transactionId }),
  dispute_rejected: z.object({ ...money, name, transactionId }),
  /** `dueOn`: the last day on which its old expiry pays. */
  card_renewed: z.object({ lastFour: z.string(), dueOn: day }),
  cashback_paid: z.object(money),
  /** `name`: of a card payment, where it was made; '' of all else. */
  owed: z.object({ ...money, cause: z.enum(OWED_CAUSES), name: z.string() }),
  owed_collected: z.object({ ...money, left: z.enum(['some', 'none']) }),
  top_up_settled: z.object({ ...money, method }),
  top_up_failed: z.object({ ...money, method }),
  top_up_returned: z.object({ ...money, method }),
  /** `name`: the account's, all three. */
  account_verified: z.object({ name }),
  payout_settled: z.object({ ...money, name }),
  payout_returned: z.object({ ...money, name, reason: z.enum(RETURN_REASONS) }),
  /** `name`: the biller's, of all direct debits. */
  mandate_requested: z.object({ name }),
  debit_announced: z.object({ ...money, name, dueOn: day }),
  debit_collected: z.object({ ...money, name }),
  debit_unpaid: z.object({ ...money, name, reason: z.enum(UNPAID_REASONS) }),
  /** `name`: the goal. There was less in the account than what it is given each month. */
  goal_move_skipped: z.object({ ...money, name }),
  /** `name`: the goal; `unlocksAt`: when it can be withdrawn from. */
  goal_unlocking: z.object({ name, unlocksAt: instant }),
  /** `amountMinor`: what was applied for, the first three; what was paid out; the instalment; the fee; what was borrowed. */
  loan_offered: z.object(money),
  loan_refused: z.object(money),
  loan_offer_expired: z.object(money),
  loan_disbursed: z.object(money),
  loan_instalment_short: z.object({ ...money, dueOn: day }),
  loan_late: z.object({ ...money, dueOn: day }),
  loan_repaid: z.object(money),
  kyc_approved: z.object({ reason }),
  kyc_rejected: z.object({ reason }),
  kyc_again: z.object({ reason }),
  /** `name`: who invited them. */
  bill_group_invited: z.object({ name, groupName: z.string(), groupId: z.string() }),
  premium_short: z.object(money),
  premium_ended: z.object({}),
  friend_joined: z.object({}),
  investment_update: z.object({ update: z.enum(['portfolios_open']) }),
  /** An order that was filled: what was paid to buy, or paid out. */
  investment_filled: z.object({ ...money, side: z.enum(['buy', 'sell']), fund: z.enum(FUNDS) }),
  /** An order that the bank took back because it could not fill it. */
  investment_cancelled: z.object({ side: z.enum(['buy', 'sell']), fund: z.enum(FUNDS) }),
  /** A date of a recurring investment for which no order was placed. */
  investment_skipped: z.object({ ...money, fund: z.enum(FUNDS), reason: z.enum(['funds', 'unsuitable', 'other']) }),
  new_feature: z.object({ feature: z.enum(['send_to_anyone']) }),
  /** `name`: whom the payment is for. */
  scheduled_sent: z.object({ ...money, name }),
  scheduled_delayed: z.object({ ...money, name, reason: delayReason }),
  scheduled_skipped: z.object({ ...money, name, reason: delayReason }),
  /** `name`: the coin; the amount is what was paid or came in, fees settled. */
  crypto_order_filled: z.object({ ...money, side: z.enum(['buy', 'sell']), name }),
  crypto_order_expired: z.object({ side: z.enum(['buy', 'sell']), name }),
  crypto_bought: z.object({ ...money, name }),
  crypto_buy_skipped: z.object({ ...money, name, reason: z.enum(['funds', 'paused', 'other']) }),
  /** `amountMinor`: the budget. */
  budget_near: z.object({ ...money, category: z.enum(SPENDING) }),
  budget_spent: z.object({ ...money, category: z.enum(SPENDING) }),
  /** `name`: whom it is paid to; the amount is what it costs now. */
  price_raised: z.object({ ...money, name, beforeMinor: amountMinor }),
  /** `certificate`: its number. */
  carbon_offset: z.object({ ...money, grams: z.int().positive(), certificate: z.string() }),
  /** `month`: the one that has ended, YYYY-MM. */
  statement_ready: z.object({ month: z.string() }),
  /** Of a version that kept sentences. */
  earlier: z.object({ title: z.string(), message: z.string() }),
} as const

export type NoticeKind = keyof typeof NOTICE_PARAMS
export type NoticeParams = { [Kind in NoticeKind]: z.infer<(typeof NOTICE_PARAMS)[Kind]> }

/** What a notice says, as a code and what differs from others of its kind. */
export type NoticeContent = { [Kind in NoticeKind]: { kind: Kind; params: NoticeParams[Kind] } }[NoticeKind]

/** A notice as its customer gets it. Both times are business times. */
export const notice = z.object({
  id: z.string(),
  kind: z.string(),
  params: z.record(z.string(), z.unknown()),
  createdAt: instant,
  readAt: instant.nullable(),
})
export type Notice = z.infer<typeof notice>

/** A page of a customer's notices, newest first. */
export const noticePage = z.object({
  notices: z.array(notice),
  nextCursor: z.string().nullable(),
})

export const unreadNotices = z.object({ unread: z.int() })

/** `upTo`: the newest notice that was seen. One that came after it stays unread. */
export const readRequest = z.strictObject({ upTo: z.uuid() })

const topics = z.record(z.enum(NOTICE_TOPICS), z.boolean())

export const noticePreferences = z.object({ notifications: z.boolean(), transactionAlerts: z.boolean(), topics })

export const noticePreferenceChange = z.strictObject({
  notifications: z.boolean().optional(),
  transactionAlerts: z.boolean().optional(),
  topics: z.partialRecord(z.enum(NOTICE_TOPICS), z.boolean()).optional(),
})
