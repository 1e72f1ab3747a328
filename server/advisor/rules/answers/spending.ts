import type { AdvisorStatement } from '#contract/advisor.ts'
import type { Category } from '#contract/categories.ts'
import {
  type Change,
  categoryChanges,
  type AdvisorFigures,
  type Month,
  preciseChange,
} from '#server/advisor/figures/figures.ts'
import { addedUpReply, paidToReply } from '#server/advisor/rules/answers/payments.ts'
import { categoriesCard, comparedCard, paymentsCard } from '#server/advisor/rules/answers/cards.ts'
import {
  headingOf,
  monthsBack,
  noPaymentsReply,
  type ReplyContext,
  askedPeriod,
} from '#server/advisor/rules/answers/question.ts'
import { monthOf } from '#server/calendar/months.ts'

/** Returns the link to a month's payments behind a figure. */
export const transactionsLink = (
  { from, to }: Pick<Month, 'from' | 'to'>,
  category?: Category,
): NonNullable<AdvisorStatement['link']> => ({
  screen: 'transactions',
  ...(category && { category }),
  from,
  to,
})

export const categoryStatement = (change: Change, month: Month): AdvisorStatement => ({
  code: 'category',
  ...change,
  link: transactionsLink(month, change.category),
  ...comparedCard(month, [change]),
})

/** Replies with the spending: in all, in a category, at a kind of shop, or to a payee. */
export async function spendingReply(question: ReplyContext): Promise<AdvisorStatement[]> {
  const { figures, ask } = question
  if (ask.name !== null) return paidToReply(question)
  const back = monthsBack(question)
  if (back === null && isYear(ask.period)) return yearReply(question)
  if (ask.kind !== null || back === null) return addedUpReply(question)
  const month = await figures.month(back)
  const isNothing = month.incomeMinor === 0 && month.expensesMinor === 0
  if (ask.period !== null && isNothing) return noPaymentsReply(question, { from: month.from, to: month.to })
  const { category } = ask
  if (category && back > 0) {
    const spentMinor = month.byCategory.get(category) ?? 0
    const card = categoriesCard(month, category)
    return [
      {
        code: 'category_in',
        category,
        spentMinor,
        month: month.month,
        link: transactionsLink(month, category),
        ...card,
      },
    ]
  }
  if (category) {
    const change = (await categoryChanges(figures)).find((categoryChange) => categoryChange.category === category)
    return change ? [categoryStatement(change, month)] : []
  }
  const largest = largestCategory(month)
  const total = back > 0 ? spentIn(month) : await spentSoFar(figures, month)
  const totalStatement = { ...total, ...categoriesCard(month) }
  return largest ? [totalStatement, largest] : [totalStatement]
}

const isYear = (period: string | null): boolean => period !== null && /^\d{4}$/.test(period)

/** Returns the months of a year up to the present. */
async function monthsOf({ figures, ask: { period } }: ReplyContext): Promise<Month[]> {
  const [year, now] = [Number(period), monthOf(figures.now)]
  const names = Array.from({ length: 12 }, (_, month) => `${year}-${String(month + 1).padStart(2, '0')}`)
  const months: Month[] = []
  for (const name of names.filter((month) => month <= now))
    months.push(
      await figures.month(12 * (Number(now.slice(0, 4)) - year) + Number(now.slice(5)) - Number(name.slice(5))),
    )
  return months
}

/**
 * Replies with a year's spending from the months of the analytics: after refunds, in the categories that the customer assigned.
 */
async function yearReply(question: ReplyContext): Promise<AdvisorStatement[]> {
  const [{ from, to }, { category }] = [askedPeriod(question), question.ask]
  const months = await monthsOf(question)
  if (months.every(({ incomeMinor, expensesMinor }) => incomeMinor === 0 && expensesMinor === 0))
    return noPaymentsReply(question, { from, to })
  const amountMinor = months.reduce((sum, month) => sum + spentOn(month, category), 0)
  if (question.ask.kind !== null) return addedUpReply(question)
  const card = monthsCard(months.map((month) => [month.month, spentOn(month, category)]))
  return [
    ...headingOf(question),
    { code: 'in_all', amountMinor, link: transactionsLink({ from, to }, category ?? undefined), ...card },
  ]
}

/** Returns a month's spending in a category, or in all. */
const spentOn = ({ byCategory, spentMinor }: Month, category: Category | null): number =>
  category ? (byCategory.get(category) ?? 0) : spentMinor

/** A year with only one month so far has no chart. */
function monthsCard(months: readonly (readonly [string, number])[]): Pick<AdvisorStatement, 'card'> {
  if (months.length < 2) return {}
  return { card: { kind: 'months', months: months.map(([month, amountMinor]) => ({ month, amountMinor })) } }
}

const spentIn = (month: Month): AdvisorStatement => ({
  code: 'spent_in',
  spentMinor: month.spentMinor,
  month: month.month,
  link: transactionsLink(month),
})

async function spentSoFar(figures: AdvisorFigures, month: Month): Promise<AdvisorStatement> {
  const before = await figures.comparedWith(0)
  const percent = preciseChange(month.spentMinor, before.spentMinor)
  return { code: 'spent_so_far', spentMinor: month.spentMinor, percent, link: transactionsLink(month) }
}

export function largestCategory(month: Month): AdvisorStatement | null {
  const [largest] = [...month.byCategory].toSorted(([, one], [, other]) => other - one)
  if (!largest || largest[1] <= 0) return null
  const [category, spentMinor] = largest
  return {
    code: 'largest_category',
    category,
    spentMinor,
    percent: month.shares.get(category) ?? 0,
    link: transactionsLink(month, category),
  }
}

/**
 * Replies with this month's spending so far, and either with the change of the named category, or with last month's spending
 * and a card of the largest changes.
 */
export async function compareReply({ figures, ask }: ReplyContext): Promise<AdvisorStatement[]> {
  const month = await figures.month(0)
  const before = await figures.month(1)
  const changes = await categoryChanges(figures)
  const listed = ask.category
    ? changes.filter(({ category }) => category === ask.category)
    : changes
        .filter(({ nowMinor, beforeMinor }) => nowMinor !== beforeMinor)
        .toSorted((one, other) => differenceOf(other) - differenceOf(one))
  const total = await spentSoFar(figures, month)
  if (ask.category) return [total, ...listed.map((change) => categoryStatement(change, month))]
  return [total, { ...spentIn(before), ...comparedCard(month, listed) }]
}

const differenceOf = ({ nowMinor, beforeMinor }: Change): number => Math.abs(nowMinor - beforeMinor)

export async function incomeReply(question: ReplyContext): Promise<AdvisorStatement[]> {
  const { figures, ask } = question
  const [back, { from, to }] = [monthsBack(question), askedPeriod(question)]
  const link = { screen: 'transactions', category: 'income', from, to } as const
  if (back === null) {
    const minor = isYear(ask.period)
      ? (await monthsOf(question)).map(({ incomeMinor }) => incomeMinor)
      : (await figures.payments({ category: 'income', from, to })).map((payment) => payment.amountMinor)
    const amountMinor = minor.reduce((sum, amount) => sum + amount, 0)
    return amountMinor === 0
      ? noPaymentsReply(question, { from, to })
      : [...headingOf(question), { code: 'came_in', amountMinor, link }]
  }
  const { month, incomeMinor, expensesMinor } = await figures.month(back)
  if (ask.period !== null && incomeMinor === 0 && expensesMinor === 0) return noPaymentsReply(question, { from, to })
  const incomingPayments = await figures.payments({ category: 'income', from, to })
  return [{ code: 'income_in', incomeMinor, month, link, ...paymentsCard(incomingPayments) }]
}
