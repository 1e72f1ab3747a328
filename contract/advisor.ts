import { z } from 'zod'
import { transaction } from '#contract/accounts.ts'
import {
  ADVISED_SCREENS,
  CARD_ROWS_MOST,
  EXAMPLES,
  OFFERED_MOST,
  OFFERS,
  QUESTION_MOST,
  SHOP_KINDS,
} from '#contract/advisor-terms.ts'
import { CATEGORY_KEYS, SPENDING } from '#contract/categories.ts'
import { day, instant, signedMinor, typedText } from '#contract/common.ts'
import { GOAL_ICONS } from '#contract/goals.ts'
import { ARTICLE_IDS } from '#contract/help-texts.ts'
import { LABEL_CODES } from '#contract/wording.ts'

/** Where the payments behind a figure are, or what the customer can do about it. */
export const advisedLink = z.object({
  screen: z.enum(ADVISED_SCREENS),
  /** Of `transactionDetail` and `helpArticle`. */
  id: z.string().optional(),
  /** Of `transactions`: what they are filtered by. */
  category: z.enum(CATEGORY_KEYS).optional(),
  q: z.string().optional(),
  from: day.optional(),
  to: day.optional(),
})
export type AdvisedLink = z.infer<typeof advisedLink>

const name = z.object({ code: z.enum(['name', ...LABEL_CODES]), params: z.record(z.string(), z.string()) })
const category = z.enum(CATEGORY_KEYS)
const percent = z.int()
/** YYYY-MM. */
const month = z.string().regex(/^\d{4}-\d{2}$/)

const rows = <Shape extends z.ZodRawShape>(shape: Shape) => z.array(z.object(shape)).max(CARD_ROWS_MOST)
const spending = z.enum(SPENDING)

/** What a sentence was made from, to be looked at: a figure, a list or a chart. Amounts are US cents. */
export const advisedCard = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('balance'), amountMinor: signedMinor }),
  /** What the days of a month were spent on, the most first. */
  z.object({
    kind: z.literal('categories'),
    from: day,
    to: day,
    parts: z.array(z.object({ category: spending, amountMinor: signedMinor, percent })).max(SPENDING.length),
  }),
  /** This month against the same days of last month; `category` null of dining out. */
  z.object({
    kind: z.literal('compared'),
    from: day,
    to: day,
    parts: rows({ category: spending.nullable(), nowMinor: signedMinor, beforeMinor: signedMinor }),
  }),
  /** What was spent month by month, the oldest first. */
  z.object({ kind: z.literal('months'), months: z.array(z.object({ month, amountMinor: signedMinor })).max(12) }),
  /** What the account holds now and on a day, and what comes and goes until then; with `spendMinor` besides, where that is asked about. */
  z.object({
    kind: z.literal('forecast'),
    nowMinor: signedMinor,
    inMinor: signedMinor,
    outMinor: signedMinor,
    spendMinor: signedMinor.nullable(),
    balanceMinor: signedMinor,
    on: day,
  }),
  /** What is expected to be paid, or to come in. */
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
  z.object({ kind: z.literal('payments'), payments: z.array(transaction).max(CARD_ROWS_MOST) }),
  /** What went to one payee from a day on, or until another. */
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

/** A sentence of a reply: a code with its figures, which the screen words. Amounts are US cents. */
const sentence = <const Code extends string, Shape extends z.ZodRawShape>(code: Code, shape: Shape) =>
  z.object({ code: z.literal(code), ...shape, link: advisedLink.optional(), card: advisedCard.optional() })

/** What a question is about. `period` is a year, a month, a day, or two days with a '/' between them. */
const subject = {
  category: category.optional(),
  kind: z.enum(SHOP_KINDS).optional(),
  name: z.string().optional(),
  amountMinor: signedMinor.optional(),
  period: z.string().optional(),
}

export const statement = z.discriminatedUnion('code', [
  /** What the sentences after it are about. */
  sentence('understood', subject),
  /** What the words of a question name that was not understood. */
  sentence('about', subject),
  /** `count` is left out where payments were not counted. */
  sentence('in_all', { amountMinor: signedMinor, count: z.int().optional() }),
  sentence('came_in', { amountMinor: signedMinor }),
  sentence('payday_none', {}),
  /** What a month leaves on average, which the sentence after it counts on. */
  sentence('counted_on', { monthlyMinor: signedMinor }),
  sentence('loan_end', {}),
  sentence('article', { article: z.enum(ARTICLE_IDS) }),
  sentence('nearest', {}),
  sentence('example', { intent: z.enum(EXAMPLES) }),
  sentence('set_aside', { amountMinor: signedMinor }),
  sentence('nothing_to_set_aside', { incomeMinor: signedMinor, spentMinor: signedMinor }),
  sentence('dining_up', { percent, nowMinor: signedMinor, beforeMinor: signedMinor }),
  /** `beforeMinor`: of the month before; null where there is nothing to compare with. `percent`: signed. */
  sentence('category', { category, nowMinor: signedMinor, beforeMinor: signedMinor, percent: percent.nullable() }),
  sentence('category_in', { category, spentMinor: signedMinor, month }),
  sentence('largest_category', { category, spentMinor: signedMinor, percent }),
  sentence('cut_by_tenth', { savedMinor: signedMinor }),
  /** `percent`: signed, to one decimal, against last month; null where nothing was spent then. */
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
  /** How many of them the card lists. */
  sentence('latest', { count: z.int() }),
  sentence('upcoming', { count: z.int(), amountMinor: signedMinor }),
  /** What the bank charges: of coin trades (fee and spread), fund orders and late instalments in hundredths of a per cent. */
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
export type Statement = z.infer<typeof statement>

/** A question and its reply. */
export const exchange = z.object({
  id: z.string(),
  question: z.string(),
  /** Business time. */
  askedAt: instant,
  /** The reply. */
  statements: z.array(statement),
  /** What makes sense to be asked after it. */
  next: z.array(z.enum(OFFERS)).max(OFFERED_MOST),
})
export type Exchange = z.infer<typeof exchange>

export const conversation = z.object({
  /** The oldest first. */
  exchanges: z.array(exchange),
})
export type Conversation = z.infer<typeof conversation>

export const questionRequest = z.strictObject({ question: typedText.min(1).max(QUESTION_MOST) })
