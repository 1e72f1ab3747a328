import { z } from 'zod'
import { amountMinor, asset, day, instant, pageQuery, signedMinor } from '#contract/common.ts'
import { CATEGORY_KEYS, SPENDING } from '#contract/categories.ts'
import { UPCOMING_KINDS } from '#contract/upcoming.ts'

/** A calendar month: YYYY-MM. */
const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/)

/** What payments can be called. */
const spendingCategory = z.enum(SPENDING)

/** What is worth saying of a month first, as a code and what it is about. */
const smartInsight = z.discriminatedUnion('code', [
  /** More than the budget, or nearly all of it. */
  z.object({ code: z.literal('over_budget'), category: spendingCategory, amountMinor }),
  z.object({ code: z.literal('near_budget'), category: spendingCategory, percent: z.int() }),
  /** A category against the days that the month is compared with: whole per cent, and the difference. */
  z.object({ code: z.literal('category_up'), category: spendingCategory, percent: z.int(), amountMinor }),
  z.object({ code: z.literal('category_down'), category: spendingCategory, percent: z.int(), amountMinor }),
  /** The largest part of the month, where there is nothing to compare with. */
  z.object({ code: z.literal('largest'), category: spendingCategory, percent: z.int() }),
  z.object({ code: z.literal('nothing_spent') }),
])
export type SmartInsight = z.infer<typeof smartInsight>

/** What a customer spent in a month. Amounts are in `asset`; refunds are taken off. */
export const analytics = z.object({
  month,
  /** Those that can be looked at, oldest first. */
  months: z.array(month),
  spentMinor: signedMinor,
  asset,
  /** Against the days of `comparedWith`, hundredths of a per cent; null where nothing was spent on them. */
  changeBps: z.int().nullable(),
  /** The first and the last day of the month before; of this month, which still runs, the same days of last month. */
  comparedWith: z.object({ from: day, to: day }),
  categories: z.array(
    z.object({
      category: spendingCategory,
      spentMinor: signedMinor,
      /** Of the month, whole per cent; together 100. */
      percent: z.int(),
      /** What the customer wants to spend at most; null where they did not say. */
      budgetMinor: amountMinor.nullable(),
    }),
  ),
  /** Its days, the first first, and of this month those until today. */
  days: z.array(z.object({ day, spentMinor: signedMinor })),
  /** The last months, oldest first. */
  trend: z.array(z.object({ month, spentMinor: signedMinor })),
  insight: smartInsight,
})
export type Analytics = z.infer<typeof analytics>

export const analyticsQuery = z.strictObject({ month: month.optional() })

/** A payment of a month, in the category that the customer gave it. */
export const categoryPayment = z.object({
  /** The transaction's. */
  id: z.string(),
  name: z.string(),
  amountMinor: signedMinor,
  asset,
  bookedAt: instant,
})
export type CategoryPayment = z.infer<typeof categoryPayment>
export const categoryPaymentsQuery = z.strictObject({
  // No database has days before the year 1, and few programs after 9999.
  month: month.regex(/^[1-8]/),
  category: spendingCategory,
  ...pageQuery,
  /** Longer than most: it says how far each account was shown, and a customer may have many cards. */
  cursor: z.string().min(1).max(4_000).optional(),
})
export const categoryPaymentPage = z.object({ payments: z.array(categoryPayment), nextCursor: z.string().nullable() })

/** `payee`: all payments to whom this one was made to, past and future. */
export const recategoriseRequest = z.strictObject({ category: spendingCategory, scope: z.enum(['once', 'payee']) })
export type RecategoriseRequest = z.infer<typeof recategoriseRequest>

/** What to spend at most each month; null for no budget. */
export const budgetRequest = z.strictObject({
  category: spendingCategory,
  limitMinor: amountMinor.nullable(),
  asset: z.literal('USD'),
})
export type BudgetRequest = z.infer<typeof budgetRequest>

/** How often something is paid. */
export const RECURRING_INTERVALS = [
  'weekly',
  'every_2_weeks',
  'twice_a_month',
  'every_4_weeks',
  'monthly',
  'every_2_months',
  'quarterly',
  'half_yearly',
  'yearly',
] as const
export type RecurringInterval = (typeof RECURRING_INTERVALS)[number]

/** What is paid again and again, the next first. */
export const recurringPayments = z.object({
  asset,
  payments: z.array(
    z.object({
      payee: z.string(),
      category: z.enum(CATEGORY_KEYS),
      amountMinor,
      interval: z.enum(RECURRING_INTERVALS),
      lastOn: day,
      nextOn: day,
      /** What it cost before; null where the price never changed. */
      previousAmountMinor: amountMinor.nullable(),
      /** Each payment is a little different, as a bill's. */
      varies: z.boolean(),
    }),
  ),
})
export type RecurringPayments = z.infer<typeof recurringPayments>

/** What the customer's current account is expected to hold at the end of the month. */
export const cashFlowForecast = z.object({
  asset,
  onDate: day,
  expectedBalanceMinor: signedMinor,
  incomeMinor: z.int().min(0),
  outgoingMinor: z.int().min(0),
  /** What of it goes out day by day, on average. */
  everydayMinor: z.int().min(0),
  expected: z.array(
    z.object({
      /** Other than income and what recurs, a payment that is known: its name reads as among the upcoming ones. */
      kind: z.enum(['income', 'recurring', ...UPCOMING_KINDS]),
      name: z.string(),
      amountMinor: signedMinor,
      dueOn: day,
    }),
  ),
  /** How far it may be off: what four of five forecasts of past months were within; null where that is not known. */
  errorMinor: z.int().min(0).nullable(),
  /** How many past months that was measured in. */
  replayedMonths: z.int(),
})
export type CashFlowForecast = z.infer<typeof cashFlowForecast>
