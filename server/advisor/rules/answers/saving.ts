import type { AdvisorStatement } from '#contract/advisor.ts'
import { categoryChanges, type AdvisorFigures, percentChange } from '#server/advisor/figures/figures.ts'
import { recurringReply } from '#server/advisor/rules/answers/outlook.ts'
import { categoriesCard, comparedCard } from '#server/advisor/rules/answers/cards.ts'
import { categoryStatement, largestCategory, transactionsLink } from '#server/advisor/rules/answers/spending.ts'
import type { ReplyContext } from '#server/advisor/rules/answers/question.ts'

/** Replies with a monthly amount to save, and with a possible saving. */
export async function saveReply({ figures }: Pick<ReplyContext, 'figures'>): Promise<AdvisorStatement[]> {
  return [await roomToSave(figures), ...(await dining(figures))]
}

async function roomToSave(figures: AdvisorFigures): Promise<AdvisorStatement> {
  const { setAsideMinor, incomeMinor, expensesMinor } = await figures.advice()
  const link = { screen: 'savings' } as const
  if (setAsideMinor > 0) return { code: 'set_aside', amountMinor: setAsideMinor, link }
  return { code: 'nothing_to_set_aside', incomeMinor, spentMinor: expensesMinor, link }
}

/**
 * Compares dining out with the same days of last month if it has grown. Otherwise it compares all food spending if that has
 * shrunk.
 */
async function dining(figures: AdvisorFigures): Promise<AdvisorStatement[]> {
  const [month, { nowMinor, beforeMinor }] = [await figures.month(0), await figures.dining()]
  const percent = percentChange(nowMinor, beforeMinor) ?? 0
  const link = transactionsLink(month, 'food')
  const compared = comparedCard(month, [{ category: null, nowMinor, beforeMinor }])
  if (percent > 0) return [{ code: 'dining_up', percent, nowMinor, beforeMinor, link, ...compared }]
  const food = (await categoryChanges(figures)).find(({ category }) => category === 'food')
  return food && (food.percent ?? 0) < 0 ? [categoryStatement(food, month)] : []
}

/**
 * Replies with the largest category and a tenth of it as a saving, the category that has grown by the largest amount, and the
 * monthly recurring payments. Without a largest category, the reply ends with an amount to save.
 */
export async function reduceReply({ figures }: Pick<ReplyContext, 'figures'>): Promise<AdvisorStatement[]> {
  const month = await figures.month(0)
  const [grown] = (await categoryChanges(figures))
    .filter(({ nowMinor, beforeMinor }) => nowMinor > beforeMinor)
    .toSorted(
      (categoryChange, other) =>
        other.nowMinor - other.beforeMinor - (categoryChange.nowMinor - categoryChange.beforeMinor),
    )
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

const tenthOf = (spentMinor: number): AdvisorStatement => ({
  code: 'cut_by_tenth',
  savedMinor: Math.floor(spentMinor / 10),
})

/** The number of months of spending that a customer should have in reserve before they invest. */
const CUSHION_MONTHS = 3

/** Replies whether there is a reserve and how much could be set aside, with the warning that investments may lose value. */
export async function investReply({ figures }: Pick<ReplyContext, 'figures'>): Promise<AdvisorStatement[]> {
  const [goals, now, before] = await Promise.all([figures.goals(), figures.month(0), figures.month(1)])
  const savedMinor = goals.reduce((sum, goal) => sum + goal.savedMinor, 0)
  const monthMinor = Math.max(now.spentMinor, before.spentMinor)
  const months = monthMinor > 0 ? Math.floor(savedMinor / monthMinor) : 0
  const cushion: AdvisorStatement =
    months >= CUSHION_MONTHS
      ? { code: 'cushion_there', months, link: { screen: 'savings' } }
      : { code: 'cushion_first', amountMinor: monthMinor * CUSHION_MONTHS, link: { screen: 'savings' } }
  return [cushion, await roomToSave(figures), { code: 'invest_risk', link: { screen: 'invest' } }]
}
