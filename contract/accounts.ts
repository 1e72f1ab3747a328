import { z } from 'zod'
import { CATEGORY_KEYS, SPENDING } from '#contract/categories.ts'
import { TRANSACTION_STATUSES } from '#contract/transaction-status.ts'
import { amountMinor, asset, day, instant, pageQuery, signedMinor, typedText } from '#contract/common.ts'
import { debt } from '#contract/owed.ts'
import { unanswered } from '#contract/unanswered.ts'
import { upcoming } from '#contract/upcoming.ts'
import { PRIVATE_NOTE_LENGTH } from '#contract/private-note-terms.ts'
import { GOAL_ICONS } from '#contract/goals.ts'
import { LABEL_CODES, METHOD_CODES } from '#contract/line-texts.ts'

const params = z.record(z.string(), z.string())

/** A transaction of the customer's current account, as the customer sees it. Amounts are in minor units; income is positive. */
export const transaction = z.object({
  /** The stable id of the transaction in the API. */
  id: z.string(),
  /** The id that a customer gives to support: TXN and nine characters, derived from the ledger operation. */
  transactionId: z.string(),
  /** The reference that appears on statements: REF and six characters, derived from the ledger operation. */
  reference: z.string(),
  /**
   * The other party or the purpose, as a code with parameters. For the code `name`, `params` contains the name of a person, a
   * merchant or a goal. The texts of all other codes are in contract/line-texts.ts.
   */
  name: z.object({ code: z.enum(['name', ...LABEL_CODES]), params }),
  amountMinor: signedMinor,
  asset,
  category: z.enum(CATEGORY_KEYS),
  status: z.enum(TRANSACTION_STATUSES),
  /** The time of the booking, in business time. */
  bookedAt: instant,
  /** The payment method. Null if it is unknown. */
  paymentMethod: z.object({ code: z.enum(METHOD_CODES), params }).nullable(),
  note: z.string().nullable(),
  /** The account's balance after the transaction; null while the transaction is pending and after it was returned. */
  balanceAfterMinor: signedMinor.nullable(),
})
export type Transaction = z.infer<typeof transaction>

const receiptPhoto = z.object({ id: z.string(), addedAt: instant })

export const transactionDetail = transaction.extend({
  /** The claim link of a payment to a person who is not a customer. Null unless such a payment is waiting to be claimed. */
  claim: z.object({ url: z.string(), expiresAt: instant }).nullable(),
  /**
   * The expected settlement date of a pending transaction, in business time. Null if the transaction is not pending, or if the
   * date is unknown.
   */
  settlesAt: instant.nullable(),
  /**
   * The time at which the hold ends, in business time. The hold ends earlier if the payment is completed. Null if nothing is
   * held, or if the end is unknown.
   */
  heldUntil: instant.nullable(),
  /**
   * The spending category in which the transaction counts. The customer may have chosen the category. Null if the transaction
   * is not spending.
   */
  countsAs: z.enum(SPENDING).nullable(),
  /** The customer's private note about the transaction; null if there is no note. */
  privateNote: z.string().nullable(),
  /** The photo of the receipt, which `/transactions/{id}/photo` serves. Null if there is no photo. */
  photo: receiptPhoto.nullable(),
  /**
   * The number and the sum of the payments in the same category and calendar month, up to and including this payment. Null if
   * the transaction is not spending, if it is not booked yet, or if the account has too many entries to count.
   */
  monthInCategory: z.object({ count: z.int().min(1), spentMinor: amountMinor }).nullable(),
})
export type TransactionDetail = z.infer<typeof transactionDetail>

/** The new private note of a transaction. Null or an empty text deletes the note. */
export const privateNoteRequest = z.strictObject({ note: typedText.max(PRIVATE_NOTE_LENGTH).nullable() })

/** The filters of the transaction list. The screen uses the same names in its URL. */
export const transactionFilters = z.strictObject({
  q: typedText.max(100).optional(),
  minMinor: z.coerce.number().pipe(amountMinor).optional(),
  maxMinor: z.coerce.number().pipe(amountMinor).optional(),
  from: day.optional(),
  to: day.optional(),
  category: z.enum(CATEGORY_KEYS).optional(),
  status: z.enum(TRANSACTION_STATUSES).optional(),
})
export type TransactionFilters = z.infer<typeof transactionFilters>

export const transactionQuery = transactionFilters.extend(pageQuery)

export const transactionPage = z.object({
  transactions: z.array(transaction),
  nextCursor: z.string().nullable(),
})

/** The maximum number of transactions that a count includes. */
export const MAX_COUNTED = 1000

/** The number of transactions that match the filters, and their sums. */
export const transactionCount = z.object({
  count: z.int(),
  /** True if more transactions match than were counted. `count` is then MAX_COUNTED. */
  more: z.boolean(),
  /**
   * The sums of the incoming and the outgoing amounts of these transactions, also of moves of the customer's own money. Pending
   * transactions are included, and returned transactions are not. Null if `more` is true.
   */
  sums: z.object({ inMinor: z.int().min(0), outMinor: z.int().min(0), asset }).nullable(),
})
export type TransactionCount = z.infer<typeof transactionCount>

/**
 * Income and expenses of the last `days` calendar days, including today. Expenses are less refunds. `expensesMinor` is negative
 * if the refunds are higher than the payments. The categories in OWN_MOVES (contract/categories.ts) are left out.
 */
export const transactionSummary = z.object({
  days: z.int(),
  asset,
  incomeMinor: signedMinor,
  expensesMinor: signedMinor,
  netMinor: signedMinor,
})

export const SUMMARY_DAYS = 7

export const dashboard = z.object({
  customer: z.object({ fullName: z.string(), initials: z.string() }),
  /** The current business date and time. The greeting on the dashboard depends on the time. */
  now: instant,
  account: z.object({
    asset,
    /**
     * The amount that the customer can spend: the balance, less the amounts on hold, less the debts to the bank. It is 0 if the
     * debts are larger than the rest.
     */
    availableMinor: signedMinor,
    /** The amount on hold or on its way out. `availableMinor` does not include this amount. */
    heldMinor: signedMinor,
    /** The amount on its way in. `availableMinor` does not include this amount yet. */
    incomingMinor: signedMinor,
    /**
     * Income less expenses since the first of the month. Payments with virtual cards are included, and the categories in
     * OWN_MOVES (contract/categories.ts) are left out. The amount may therefore differ from the change of the balance.
     */
    monthChangeMinor: signedMinor,
    /** Spending since the first of the month, less refunds. */
    spentMinor: signedMinor,
    /** Spending, less refunds, in the previous month up to the same day; in the whole month on the last day of a month. */
    spentLastMonthMinor: signedMinor,
  }),
  goal: z
    .object({
      name: z.string(),
      icon: z.enum(GOAL_ICONS),
      savedMinor: signedMinor,
      targetMinor: amountMinor,
      asset,
    })
    .nullable(),
  recent: z.array(transaction),
  /** The summary of the upcoming payments; null if there are no upcoming payments. */
  upcoming: upcoming.nullable(),
  /** The customer's debts to the bank. The bank takes them from the next incoming money. */
  owed: z.array(debt),
  /** The items that need an action of the customer, the most urgent first. */
  unanswered: z.array(unanswered),
  unreadNotifications: z.int(),
})
export type Dashboard = z.infer<typeof dashboard>

/** The ways to add money from outside the bank. */
export const TOP_UP_METHODS = ['card', 'bank', 'wallet'] as const
export type TopUpMethod = (typeof TOP_UP_METHODS)[number]

/** The arrival of the money: immediately, after one or two business days, or when the payment provider confirms it. */
const ARRIVALS = ['at_once', 'business_days', 'when_confirmed'] as const

/** The top-up methods that are available at present. */
export const topUpMethods = z.object({
  methods: z.array(z.object({ method: z.enum(TOP_UP_METHODS), arrives: z.enum(ARRIVALS) })),
})
export type OfferedMethod = z.infer<typeof topUpMethods>['methods'][number]

export const topUpRequest = z.strictObject({
  amountMinor,
  asset: z.literal('USD'),
  method: z.enum(TOP_UP_METHODS),
})

/**
 * The transaction of a top-up. `settlesAt` is the expected arrival of a top-up from a bank, in business time. It is null if the
 * money has arrived or the date is unknown.
 */
export const topUpResponse = z.object({ transaction, settlesAt: instant.nullable() })
