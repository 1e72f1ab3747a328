import { z } from 'zod'
import { transaction } from '#contract/accounts.ts'
import {
  ADVISED_SCREENS,
  MAX_CARD_ROWS,
  EXAMPLES,
  MAX_OFFERED,
  OFFERS,
  MAX_QUESTION,
  SHOP_KINDS,
} from '#contract/advisor-terms.ts'
import { CATEGORY_KEYS, SPENDING } from '#contract/categories.ts'
import { day, instant, signedMinor, typedText } from '#contract/common.ts'
import { GOAL_ICONS } from '#contract/goals.ts'
import { ARTICLE_IDS } from '#contract/help-texts.ts'
import { LABEL_CODES } from '#contract/line-texts.ts'

/** A link to the payments behind a figure, or to the screen where the customer can act. */
export const advisedLink = z.object({
  screen: z.enum(ADVISED_SCREENS),
  /** The id of the transaction or the help article. Present only for the screens `transactionDetail` and `helpArticle`. */
  id: z.string().optional(),
  /** The filters of the screen `transactions`. */
  category: z.enum(CATEGORY_KEYS).optional(),
  q: z.string().optional(),
  from: day.optional(),
  to: day.optional(),
})
export type AdvisedLink = z.infer<typeof advisedLink>

const name = z.object({ code: z.enum(['name', ...LABEL_CODES]), params: z.record(z.string(), z.string()) })
const category = z.enum(CATEGORY_KEYS)
const percent = z.int()
/** A month, YYYY-MM. */
const month = z.string().regex(/^\d{4}-\d{2}$/)

const rows = <Shape extends z.ZodRawShape>(shape: Shape) => z.array(z.object(shape)).max(MAX_CARD_ROWS)
const spending = z.enum(SPENDING)

/** A card below a sentence, which shows the data as a figure, a list or a chart. Amounts are in US cents. */
export const advisedCard = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('balance'), amountMinor: signedMinor }),
  /** The categories of a month's spending, the largest first. */
  z.object({
    kind: z.literal('categories'),
    from: day,
    to: day,
    parts: z.array(z.object({ category: spending, amountMinor: signedMinor, percent })).max(SPENDING.length),
  }),
  /** The spending of this month compared with the same days of the previous month. `category` is null for dining out. */
  z.object({
    kind: z.literal('compared'),
    from: day,
    to: day,
    parts: rows({ category: spending.nullable(), nowMinor: signedMinor, beforeMinor: signedMinor }),
  }),
  /** The spending of each month, the oldest first. */
  z.object({ kind: z.literal('months'), months: z.array(z.object({ month, amountMinor: signedMinor })).max(12) }),
  /**
   * The balance today, the expected income and payments, and the balance on a later day. `spendMinor` is the amount to spend
   * that the question names; null if the question names no amount.
   */
  z.object({
    kind: z.literal('forecast'),
    nowMinor: signedMinor,
    inMinor: signedMinor,
    outMinor: signedMinor,
    spendMinor: signedMinor.nullable(),
    balanceMinor: signedMinor,
    on: day,
  }),
  /** The expected payments, or the expected income if `incoming` is true. */
  z.object({
    kind: z.literal('due'),
    incoming: z.boolean(),
    payments: rows({ name, amountMinor: signedMinor, on: day }),
  }),
  z.object({
    kind: z.literal('goals'),
    goals: rows({
      id: z.string(),
      name: z.string(),
      icon: z.enum(GOAL_ICONS),
      savedMinor: signedMinor,
      targetMinor: signedMinor,
      percent,
    }),
  }),
  z.object({ kind: z.literal('payments'), payments: z.array(transaction).max(MAX_CARD_ROWS) }),
  /** The payments to one payee from the day `from` until the day `to`. `to` is null if the period has no end. */
  z.object({
    kind: z.literal('paid'),
    name: z.string(),
    isPerson: z.boolean(),
    amountMinor: signedMinor,
    count: z.int(),
    from: day,
    to: day.nullable(),
  }),
])
export type AdvisedCard = z.infer<typeof advisedCard>

/**
 * Defines a sentence of a reply: a code with its figures. The screen creates the text from the code. Amounts are in US cents.
 */
const sentence = <const Code extends string, Shape extends z.ZodRawShape>(code: Code, shape: Shape) =>
  z.object({ code: z.literal(code), ...shape, link: advisedLink.optional(), card: advisedCard.optional() })

/** The subject of a question. `period` is a year, a month, a day, or two days separated by '/'. */
const subject = {
  category: category.optional(),
  kind: z.enum(SHOP_KINDS).optional(),
  name: z.string().optional(),
  amountMinor: signedMinor.optional(),
  period: z.string().optional(),
}

export const advisorStatement = z.discriminatedUnion('code', [
  /** The subject of the sentences that follow. */
  sentence('understood', subject),
  /** The recognized subject of a question that the advisor did not understand as a whole. */
  sentence('about', subject),
  /** The sum of the payments. `count` is missing if the payments were not counted. */
  sentence('in_all', { amountMinor: signedMinor, count: z.int().optional() }),
  sentence('came_in', { amountMinor: signedMinor }),
  sentence('payday_none', {}),
  /** The customer's average surplus of a month. The calculation in the next sentence uses this amount. */
  sentence('counted_on', { monthlyMinor: signedMinor }),
  sentence('loan_end', {}),
  sentence('article', { article: z.enum(ARTICLE_IDS) }),
  sentence('nearest', {}),
  sentence('example', { intent: z.enum(EXAMPLES) }),
  sentence('set_aside', { amountMinor: signedMinor }),
  sentence('nothing_to_set_aside', { incomeMinor: signedMinor, spentMinor: signedMinor }),
  sentence('dining_up', { percent, nowMinor: signedMinor, beforeMinor: signedMinor }),
  /**
   * `beforeMinor` is the amount of the previous month. `percent` is the signed change since that month; null if `beforeMinor`
   * is not above zero.
   */
  sentence('category', { category, nowMinor: signedMinor, beforeMinor: signedMinor, percent: percent.nullable() }),
  sentence('category_in', { category, spentMinor: signedMinor, month }),
  sentence('largest_category', { category, spentMinor: signedMinor, percent }),
  sentence('cut_by_tenth', { savedMinor: signedMinor }),
  /**
   * `percent` is the signed change since the previous month, in percent with one decimal. It is null if nothing was spent in
   * the previous month.
   */
  sentence('spent_so_far', { spentMinor: signedMinor, percent: z.number().nullable() }),
  sentence('spent_in', { spentMinor: signedMinor, month }),
  sentence('income_in', { incomeMinor: signedMinor, month }),
  sentence('balance', { amountMinor: signedMinor }),
  sentence('saved_in_goals', { amountMinor: signedMinor }),
  sentence('recurring', { count: z.int(), monthlyMinor: signedMinor }),
  sentence('recurring_none', {}),
  sentence('forecast', { balanceMinor: signedMinor, on: day }),
  sentence('still_expected', { inMinor: signedMinor, outMinor: signedMinor }),
  sentence('goal', { name: z.string(), savedMinor: signedMinor, targetMinor: signedMinor, percent }),
  sentence('goal_need', { name: z.string(), amountMinor: signedMinor, on: day }),
  sentence('goal_when', { name: z.string(), amountMinor: signedMinor, month }),
  sentence('goal_never', { name: z.string(), amountMinor: signedMinor }),
  sentence('goals_reached', {}),
  sentence('goals_none', {}),
  sentence('largest', { name, amountMinor: signedMinor, on: day }),
  sentence('payment', { name, amountMinor: signedMinor, on: day }),
  sentence('payments_none', {}),
  sentence('spent_at', { name, amountMinor: signedMinor, count: z.int(), since: day }),
  /** `count` is the number of payments in the card. */
  sentence('latest', { count: z.int() }),
  sentence('upcoming', { count: z.int(), amountMinor: signedMinor }),
  /**
   * The bank's fees. The rates are in hundredths of a percent: the fee and the spread of coin trades, the fee of fund orders
   * and the fee of late installments. `premiumMinor` is the monthly price of Premium in US cents.
   */
  sentence('fees', {
    coinBps: z.int(),
    spreadBps: z.int(),
    fundBps: z.int(),
    lateBps: z.int(),
    premiumMinor: signedMinor,
  }),
  sentence('due', { name, amountMinor: signedMinor, on: day }),
  sentence('due_none', {}),
  sentence('afford_yes', { amountMinor: signedMinor, leftMinor: signedMinor, on: day }),
  sentence('afford_no', { amountMinor: signedMinor, shortMinor: signedMinor, on: day }),
  sentence('cushion_first', { amountMinor: signedMinor }),
  sentence('cushion_there', { months: z.int() }),
  sentence('invest_risk', {}),
  sentence('points', { points: z.int() }),
  sentence('credit_score', { score: z.int() }),
  sentence('no_moves', {}),
  sentence('look_here', {}),
  sentence('not_advised', {}),
  sentence('not_understood', {}),
  sentence('can_answer', {}),
  sentence('welcome', {}),
])
export type AdvisorStatement = z.infer<typeof advisorStatement>

export const advisorExchange = z.object({
  id: z.string(),
  question: z.string(),
  /** The time of the question, in business time. */
  askedAt: instant,
  statements: z.array(advisorStatement),
  /** The questions that are suggested after the reply. */
  next: z.array(z.enum(OFFERS)).max(MAX_OFFERED),
})
export type AdvisorExchange = z.infer<typeof advisorExchange>

export const conversation = z.object({
  /** The exchanges, the oldest first. */
  exchanges: z.array(advisorExchange),
})
export type Conversation = z.infer<typeof conversation>

export const questionRequest = z.strictObject({ question: typedText.min(1).max(MAX_QUESTION) })
