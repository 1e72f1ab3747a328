import type { AdvisedCard } from '#contract/advisor.ts'
import { MAX_CARD_ROWS } from '#contract/advisor-terms.ts'
import { isSpendingCategory } from '#contract/categories.ts'
import { percentOf } from '#contract/money.ts'
import type { Goal } from '#contract/savings.ts'
import type { Change, AdvisorFigures, Month, AdvisorPayment } from '#server/advisor/figures/figures.ts'

type CardOf<Kind extends AdvisedCard['kind']> = Extract<AdvisedCard, { kind: Kind }>

/** The card beside a sentence. It is missing if it would be empty. */
type Carried<Kind extends AdvisedCard['kind']> = { card?: CardOf<Kind> }

/** Returns a card with the payments of a reply, newest first. */
export const paymentsCard = (payments: readonly AdvisorPayment[]): Carried<'payments'> =>
  payments.length === 0
    ? {}
    : { card: { kind: 'payments', payments: payments.slice(0, MAX_CARD_ROWS).map(({ transaction: shown }) => shown) } }

/** Returns a card with a month's spending by category, or with the category `only`. */
export function categoriesCard(
  { byCategory, shares, from, to }: Month,
  only: string | null = null,
): Carried<'categories'> {
  const parts = [...byCategory]
    .filter(([category, amountMinor]) => amountMinor > 0 && (only === null || category === only))
    .toSorted(([, one], [, other]) => other - one)
    .flatMap(([category, amountMinor]) =>
      isSpendingCategory(category) ? [{ category, amountMinor, percent: shares.get(category) ?? 0 }] : [],
    )
  return parts.length === 0 ? {} : { card: { kind: 'categories', from, to, parts } }
}

/** Returns a card that compares this month's spending with last month's. */
export function comparedCard(
  { from, to }: Pick<Month, 'from' | 'to'>,
  changes: readonly (Pick<Change, 'nowMinor' | 'beforeMinor'> & { category: Change['category'] | null })[],
): Carried<'compared'> {
  const parts = changes.flatMap(({ category, nowMinor, beforeMinor }) =>
    category === null || isSpendingCategory(category) ? [{ category, nowMinor, beforeMinor }] : [],
  )
  return parts.length === 0 ? {} : { card: { kind: 'compared', from, to, parts: parts.slice(0, MAX_CARD_ROWS) } }
}

/** Returns a card with the forecast from the current balance to the end of the month. */
export async function forecastCard(
  figures: AdvisorFigures,
  spendMinor: number | null = null,
): Promise<Required<Carried<'forecast'>>> {
  const { balanceMinor, on, inMinor, outMinor } = await figures.forecast()
  const nowMinor = balanceMinor - inMinor + outMinor
  const leftMinor = balanceMinor - (spendMinor ?? 0)
  return { card: { kind: 'forecast', nowMinor, inMinor, outMinor, spendMinor, balanceMinor: leftMinor, on } }
}

export const dueCard = (incoming: boolean, payments: CardOf<'due'>['payments']): Carried<'due'> =>
  payments.length === 0 ? {} : { card: { kind: 'due', incoming, payments: payments.slice(0, MAX_CARD_ROWS) } }

export const goalsCard = (goals: readonly Goal[]): Required<Carried<'goals'>> => ({
  card: { kind: 'goals', goals: goals.slice(0, MAX_CARD_ROWS).map(goalRow) },
})

const goalRow = ({ id, name, icon, savedMinor, targetMinor }: Goal) => ({
  id,
  name,
  icon,
  savedMinor,
  targetMinor,
  percent: reachedPercent({ savedMinor, targetMinor }),
})

export const reachedPercent = ({ savedMinor, targetMinor }: Pick<Goal, 'savedMinor' | 'targetMinor'>): number =>
  Math.min(100, percentOf(savedMinor, targetMinor))
