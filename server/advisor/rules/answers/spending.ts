import type { Statement } from '#contract/advisor.ts'
import type { Category } from '#contract/categories.ts'
import { type Change, changes, type Figures, type Month, preciseChange } from '#server/advisor/figures/figures.ts'
import type { Question } from '#server/advisor/rules/question.ts'

/** The payments of a month behind a figure. */
export const linkTo = ({ from, to }: Month, category?: Category): NonNullable<Statement['link']> => ({
  screen: 'transactions',
  ...(category && { category }),
  from,
  to,
})

export const categoryStatement = (change: Change, month: Month): Statement => ({
  code: 'category',
  ...change,
  link: linkTo(month, change.category),
})

/** What the month came to: all of it, or a category. */
export async function spendingReply({ figures, understood }: Question): Promise<Statement[]> {
  const { category, monthsBack } = understood
  const month = await figures.month(monthsBack ?? 0)
  if (category && (monthsBack ?? 0) > 0)
    return [
      {
        code: 'category_in',
        category,
        spentMinor: month.byCategory.get(category) ?? 0,
        month: month.month,
        link: linkTo(month, category),
      },
    ]
  if (category) {
    const change = (await changes(figures)).find((one) => one.category === category)
    return change ? [categoryStatement(change, month)] : []
  }
  const largest = largestCategory(month)
  const total = (monthsBack ?? 0) > 0 ? spentIn(month) : await spentSoFar(figures, month)
  return largest ? [total, largest] : [total]
}

const spentIn = (month: Month): Statement => ({
  code: 'spent_in',
  spentMinor: month.spentMinor,
  month: month.month,
  link: linkTo(month),
})

async function spentSoFar(figures: Figures, month: Month): Promise<Statement> {
  const before = await figures.comparedWith(0)
  const percent = preciseChange(month.spentMinor, before.spentMinor)
  return { code: 'spent_so_far', spentMinor: month.spentMinor, percent, link: linkTo(month) }
}

export function largestCategory(month: Month): Statement | null {
  const [largest] = [...month.byCategory].toSorted(([, one], [, other]) => other - one)
  if (!largest || largest[1] <= 0) return null
  const [category, spentMinor] = largest
  return {
    code: 'largest_category',
    category,
    spentMinor,
    percent: month.shares.get(category) ?? 0,
    link: linkTo(month, category),
  }
}

/** This month against the last, and what changed the most. */
export async function compareReply({ figures, understood }: Question): Promise<Statement[]> {
  const month = await figures.month(0)
  const before = await figures.month(1)
  const all = await changes(figures)
  const listed = understood.category
    ? all.filter(({ category }) => category === understood.category)
    : all
        .filter(({ nowMinor, beforeMinor }) => nowMinor !== beforeMinor)
        .toSorted((one, other) => differenceOf(other) - differenceOf(one))
        .slice(0, 3)
  return [
    await spentSoFar(figures, month),
    ...(understood.category ? [] : [spentIn(before)]),
    ...listed.map((change) => categoryStatement(change, month)),
  ]
}

const differenceOf = ({ nowMinor, beforeMinor }: Change): number => Math.abs(nowMinor - beforeMinor)

export async function incomeReply({ figures, understood }: Question): Promise<Statement[]> {
  const { month, incomeMinor, from, to } = await figures.month(understood.monthsBack ?? 0)
  return [{ code: 'income_in', incomeMinor, month, link: { screen: 'transactions', category: 'income', from, to } }]
}
