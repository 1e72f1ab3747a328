import { z } from 'zod'
import { amountMinor, asset, day, instant, pageQuery, signedMinor } from '#contract/common.ts'
import { CATEGORY_KEYS, SPENDING } from '#contract/categories.ts'
import { UPCOMING_KINDS } from '#contract/upcoming.ts'

/** A calendar month: YYYY-MM. */
const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/)

/** The categories that a payment can have. */
const spendingCategory = z.enum(SPENDING)

/** The most important fact of a month, as a code with its figures. */
const smartInsight = z.discriminatedUnion('code', [
  /**
   * In `over_budget`, the spending in a category is `amountMinor` above its budget. In `near_budget`, the spending has reached
   * `percent` percent of the budget.
   */
  z.object({ code: z.literal('over_budget'), category: spendingCategory, amountMinor }),
  z.object({ code: z.literal('near_budget'), category: spendingCategory, percent: z.int() }),
  /**
   * The category whose spending rose or fell the most since the days in `comparedWith`. `percent` is the change in whole
   * percent, and `amountMinor` is the change as an amount.
   */
  z.object({ code: z.literal('category_up'), category: spendingCategory, percent: z.int(), amountMinor }),
  z.object({ code: z.literal('category_down'), category: spendingCategory, percent: z.int(), amountMinor }),
  /**
   * The category with the largest share of the month's spending. This insight is used if no category changed much, or if there
   * is no earlier month.
   */
  z.object({ code: z.literal('largest'), category: spendingCategory, percent: z.int() }),
  z.object({ code: z.literal('nothing_spent') }),
])
export type SmartInsight = z.infer<typeof smartInsight>

/** A customer's spending in a month. All amounts are in `asset`, and refunds are deducted. */
export const analytics = z.object({
  month,
  /** The months from the first with spending to the current one, at most twelve, the oldest first. */
  months: z.array(month),
  spentMinor: signedMinor,
  asset,
  /**
   * The change of the spending since the days in `comparedWith`, in hundredths of a percent. Null if nothing was spent on those
   * days.
   */
  changeBps: z.int().nullable(),
  /**
   * The first and the last of the days with which the month is compared. They are days of the previous month. A past month is
   * compared with all of them. The current month is compared with those up to the same day of the month as today, and on its
   * last day with all of them.
   */
  comparedWith: z.object({ from: day, to: day }),
  categories: z.array(
    z.object({
      category: spendingCategory,
      spentMinor: signedMinor,
      /** The category's share of the month's spending, in whole percent. The shares add up to 100, or to 0 without spending. */
      percent: z.int(),
      /** The customer's monthly budget for the category; null if there is none. */
      budgetMinor: amountMinor.nullable(),
    }),
  ),
  /** The days of the month in order. The current month ends today. */
  days: z.array(z.object({ day, spentMinor: signedMinor })),
  /** The last months, the oldest first. */
  trend: z.array(z.object({ month, spentMinor: signedMinor })),
  insight: smartInsight,
})
export type Analytics = z.infer<typeof analytics>

export const analyticsQuery = z.strictObject({ month: month.optional() })

/** A payment in the requested month and category. */
export const categoryPayment = z.object({
  /** The id of the transaction. */
  id: z.string(),
  name: z.string(),
  amountMinor: signedMinor,
  asset,
  bookedAt: instant,
})
export type CategoryPayment = z.infer<typeof categoryPayment>
export const categoryPaymentsQuery = z.strictObject({
  // Allows the years 1000 to 8999, because PostgreSQL has no year 0 and many programs have no year after 9999.
  month: month.regex(/^[1-8]/),
  category: spendingCategory,
  ...pageQuery,
  /**
   * The position of the next page. This cursor is longer than others, because it contains the position in each account, and a
   * customer may have many cards.
   */
  cursor: z.string().min(1).max(4_000).optional(),
})
export const categoryPaymentPage = z.object({ payments: z.array(categoryPayment), nextCursor: z.string().nullable() })

/** `once` changes the category of this payment only. `payee` changes all payments to the same payee, past and future. */
export const recategorizeRequest = z.strictObject({ category: spendingCategory, scope: z.enum(['once', 'payee']) })
export type RecategorizeRequest = z.infer<typeof recategorizeRequest>

/** The new monthly budget of a category. If `limitMinor` is null, the budget is removed. */
export const budgetRequest = z.strictObject({
  category: spendingCategory,
  limitMinor: amountMinor.nullable(),
  asset: z.literal('USD'),
})
export type BudgetRequest = z.infer<typeof budgetRequest>

/** The intervals of recurring payments. */
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

/** A customer's recurring payments. The payment with the nearest due day is first. */
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
      /** The amount before its last change. Null if the amount has never changed, or if `varies` is true. */
      previousAmountMinor: amountMinor.nullable(),
      /** True if the amount differs from payment to payment, as for a utility bill. */
      varies: z.boolean(),
    }),
  ),
})
export type RecurringPayments = z.infer<typeof recurringPayments>

/** The expected balance of the customer's current account at the end of the month. */
export const cashFlowForecast = z.object({
  asset,
  onDate: day,
  expectedBalanceMinor: signedMinor,
  incomeMinor: z.int().min(0),
  outgoingMinor: z.int().min(0),
  /**
   * The everyday part of `outgoingMinor`: the average everyday spending of a day, multiplied by the number of remaining days of
   * the month.
   */
  everydayMinor: z.int().min(0),
  expected: z.array(
    z.object({
      /**
       * The kind of the expected amount. All kinds except `income` and `recurring` are upcoming payments, whose `name` is
       * described in contract/upcoming.ts.
       */
      kind: z.enum(['income', 'recurring', ...UPCOMING_KINDS]),
      name: z.string(),
      amountMinor: signedMinor,
      dueOn: day,
    }),
  ),
  /**
   * The margin of error of `expectedBalanceMinor`. The bank repeats the forecast for past months. In four of five months, the
   * forecast differs from the actual balance by at most this amount. Null if there are too few past months.
   */
  errorMinor: z.int().min(0).nullable(),
  /** The number of past months from which the margin of error was calculated. */
  replayedMonths: z.int(),
})
export type CashFlowForecast = z.infer<typeof cashFlowForecast>
