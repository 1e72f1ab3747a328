import type { Statement } from '#contract/advisor.ts'
import { changes, type Figures, percentChange } from '#server/advisor/figures/figures.ts'
import { recurringReply } from '#server/advisor/rules/answers/outlook.ts'
import { categoriesCard, comparedCard } from '#server/advisor/rules/answers/cards.ts'
import { categoryStatement, largestCategory, linkTo } from '#server/advisor/rules/answers/spending.ts'
import type { Question } from '#server/advisor/rules/answers/question.ts'

/** What to set aside each month, and what would leave more. */
export async function saveReply({ figures }: Pick<Question, 'figures'>): Promise<Statement[]> {
  return [await roomToSave(figures), ...(await dining(figures))]
}

async function roomToSave(figures: Figures): Promise<Statement> {
  const { setAsideMinor, incomeMinor, expensesMinor } = await figures.advice()
  const link = { screen: 'savings' } as const
  if (setAsideMinor > 0) return { code: 'set_aside', amountMinor: setAsideMinor, link }
  return { code: 'nothing_to_set_aside', incomeMinor, spentMinor: expensesMinor, link }
}

/** Dining out where it has grown, else all that is spent on food where that has shrunk, against the same days of last month. */
async function dining(figures: Figures): Promise<Statement[]> {
  const [month, { nowMinor, beforeMinor }] = [await figures.month(0), await figures.dining()]
  const percent = percentChange(nowMinor, beforeMinor) ?? 0
  const link = linkTo(month, 'food')
  const compared = comparedCard(month, [{ category: null, nowMinor, beforeMinor }])
  if (percent > 0) return [{ code: 'dining_up', percent, nowMinor, beforeMinor, link, ...compared }]
  const food = (await changes(figures)).find(({ category }) => category === 'food')
  return food && (food.percent ?? 0) < 0 ? [categoryStatement(food, month)] : []
}

/** What has grown the most, what is the most, and what goes out every month. */
export async function reduceReply({ figures }: Pick<Question, 'figures'>): Promise<Statement[]> {
  const month = await figures.month(0)
  const [grown] = (await changes(figures))
    .filter(({ nowMinor, beforeMinor }) => nowMinor > beforeMinor)
    .toSorted((one, other) => other.nowMinor - other.beforeMinor - (one.nowMinor - one.beforeMinor))
  const largest = largestCategory(month)
  const recurring = await recurringReply({ figures })
  return [
    ...(largest ? [{ ...largest, ...categoriesCard(month) }] : []),
    ...(largest?.code === 'largest_category' ? [tenthOf(largest.spentMinor)] : []),
    ...(grown ? [categoryStatement(grown, month)] : []),
    ...recurring.slice(0, 1).filter(({ code }) => code === 'recurring'),
    ...(largest ? [] : [await roomToSave(figures)]),
  ]
}

const tenthOf = (spentMinor: number): Statement => ({ code: 'cut_by_tenth', savedMinor: Math.floor(spentMinor / 10) })

/** How many months of spending should be at hand before money is invested. */
const CUSHION_MONTHS = 3

/** Whether there is a cushion, what may be set aside, and that what is invested may be lost. */
export async function investReply({ figures }: Pick<Question, 'figures'>): Promise<Statement[]> {
  const [goals, now, before] = await Promise.all([figures.goals(), figures.month(0), figures.month(1)])
  const savedMinor = goals.reduce((sum, goal) => sum + goal.savedMinor, 0)
  const monthMinor = Math.max(now.spentMinor, before.spentMinor)
  const months = monthMinor > 0 ? Math.floor(savedMinor / monthMinor) : 0
  const cushion: Statement =
    months >= CUSHION_MONTHS
      ? { code: 'cushion_there', months, link: { screen: 'savings' } }
      : { code: 'cushion_first', amountMinor: monthMinor * CUSHION_MONTHS, link: { screen: 'savings' } }
  return [cushion, await roomToSave(figures), { code: 'invest_risk', link: { screen: 'invest' } }]
}
