import { z } from 'zod'
import { CATEGORY_KEYS, SPENDING } from '#contract/categories.ts'
import { TRANSACTION_STATUSES } from '#contract/transaction-status.ts'
import { amountMinor, asset, day, instant, pageQuery, signedMinor, typedText } from '#contract/common.ts'
import { debt } from '#contract/owed.ts'
import { unanswered } from '#contract/unanswered.ts'
import { upcoming } from '#contract/upcoming.ts'
import { PRIVATE_NOTE_LENGTH } from '#contract/kept-terms.ts'
import { GOAL_ICONS } from '#contract/goals.ts'
import { LABEL_CODES, METHOD_CODES } from '#contract/wording.ts'

const params = z.record(z.string(), z.string())

/** One movement of the customer's current account, as the customer sees it. Amounts: minor units, income positive. */
export const transaction = z.object({
  /** Names it in the API; stable. */
  id: z.string(),
  /** What a person quotes: TXN and nine characters, derived from the operation. */
  transactionId: z.string(),
  /** REF and six characters, derived from the operation. */
  reference: z.string(),
  /** Whom or what it is about: `name` for a person, a merchant or a goal; contract/wording.ts has the words of the others. */
  name: z.object({ code: z.enum(['name', ...LABEL_CODES]), params }),
  amountMinor: signedMinor,
  asset,
  category: z.enum(CATEGORY_KEYS),
  status: z.enum(TRANSACTION_STATUSES),
  /** Business time. */
  bookedAt: instant,
  /** How it was paid; null where nothing was said. */
  paymentMethod: z.object({ code: z.enum(METHOD_CODES), params }).nullable(),
  note: z.string().nullable(),
  /** The account's balance after it; null while pending or when returned. */
  balanceAfterMinor: signedMinor.nullable(),
})
export type Transaction = z.infer<typeof transaction>

const receiptPhoto = z.object({ id: z.string(), addedAt: instant })

export const transactionDetail = transaction.extend({
  /** Present on money sent to someone who is not a customer, while it waits. */
  claim: z.object({ url: z.string(), expiresAt: instant }).nullable(),
  /** When money on its way in or out is expected, business time; null where there is none or nobody knows. */
  settlesAt: instant.nullable(),
  /** Until when it stays held, business time, unless it is completed; null for what is not held, or until nobody knows when. */
  heldUntil: instant.nullable(),
  /** The spending category that it counts as, which the customer may have given it; null for what is no spending. */
  countsAs: z.enum(SPENDING).nullable(),
  /** What its customer wrote to themselves about it. */
  privateNote: z.string().nullable(),
  /** The picture of its receipt, which `/transactions/{id}/photo` has. */
  photo: receiptPhoto.nullable(),
  /**
   * Of spending: the payments of its category in its calendar month, up to it and with it, and what they came to. Null for
   * what is no spending or has not been booked, and where there are too many.
   */
  monthInCategory: z.object({ count: z.int().min(1), spentMinor: amountMinor }).nullable(),
})
export type TransactionDetail = z.infer<typeof transactionDetail>

/** Null, or nothing, for none any more. */
export const privateNoteRequest = z.strictObject({ note: typedText.max(PRIVATE_NOTE_LENGTH).nullable() })

/** Filters of the transaction list; the screen keeps the same names in its URL. */
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

/** More than this many transactions are not counted. */
export const COUNTED_MOST = 1000

/** How many transactions the filters let through, and what they come to. */
export const transactionCount = z.object({
  count: z.int(),
  /** There are more than `count`, which is COUNTED_MOST then. */
  more: z.boolean(),
  /** What came in and went out with them, pending ones too and returned ones not; null where there are more. */
  sums: z.object({ inMinor: z.int().min(0), outMinor: z.int().min(0), asset }).nullable(),
})
export type TransactionCount = z.infer<typeof transactionCount>

/** Income and expenses of the last `days` calendar days of the bank, today included; both non-negative, own moves left out. */
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
  /** Business date and time, for the greeting. */
  now: instant,
  account: z.object({
    asset,
    /** What the customer can spend: the balance less what is held and what they owe. */
    availableMinor: signedMinor,
    /** Held or on its way out, already taken off `availableMinor`. */
    heldMinor: signedMinor,
    /** On its way in, not yet in `availableMinor`. */
    incomingMinor: signedMinor,
    /** Income less expenses since the first of the month, virtual cards included and the customer's own moves left out: not the balance's change. */
    monthChangeMinor: signedMinor,
    /** Spending since the first of the month, refunds taken off. */
    spentMinor: signedMinor,
    /** The same of last month, up to the same day of the month. */
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
  /** Payments that are known in advance; null where there are none. */
  upcoming: upcoming.nullable(),
  /** What they owe the bank, which takes it from the next money that comes in. */
  owed: z.array(debt),
  /** What waits for them, the most urgent first. */
  unanswered: z.array(unanswered),
  unreadNotifications: z.int(),
})
export type Dashboard = z.infer<typeof dashboard>

/** How money gets in from outside, and how long it takes. */
export const TOP_UP_METHODS = ['card', 'bank', 'wallet'] as const
export type TopUpMethod = (typeof TOP_UP_METHODS)[number]

/** When money is there: at once, after one or two business days, or as soon as who collects it has confirmed it. */
const ARRIVALS = ['at_once', 'business_days', 'when_confirmed'] as const

/** The methods that this bank can take money by just now. */
export const topUpMethods = z.object({
  methods: z.array(z.object({ method: z.enum(TOP_UP_METHODS), arrives: z.enum(ARRIVALS) })),
})
export type OfferedMethod = z.infer<typeof topUpMethods>['methods'][number]

export const topUpRequest = z.strictObject({
  amountMinor,
  asset: z.literal('USD'),
  method: z.enum(TOP_UP_METHODS),
})

/** `settlesAt`: when a bank top-up is expected, business time; null where it is there already or nobody knows yet. */
export const topUpResponse = z.object({ transaction, settlesAt: instant.nullable() })
