import type { Statement } from '#contract/advisor.ts'
import { type Intent, type Offer, OFFERED_MOST } from '#contract/advisor-terms.ts'
import type { Ask } from '#server/advisor/questions/selection.ts'

/** What is offered where nothing follows from the reply: what most people ask. */
const FIRST: readonly Offer[] = ['spending', 'upcoming', 'forecast']

/** What makes sense to be asked after a reply to each question. */
const AFTER: Readonly<Partial<Record<Intent, readonly Offer[]>>> = {
  save_more: ['reduce_spending', 'goals', 'recurring'],
  invest_tips: ['goals', 'save_more', 'forecast'],
  reduce_spending: ['recurring', 'compare', 'save_more'],
  goal_what_if: ['goals', 'save_more', 'forecast'],
  afford: ['forecast', 'upcoming', 'save_more'],
  forecast: ['upcoming', 'payday', 'afford'],
  compare: ['reduce_spending', 'largest', 'recurring'],
  recurring: ['upcoming', 'reduce_spending', 'forecast'],
  upcoming: ['forecast', 'recurring', 'payday'],
  goals: ['goal_what_if', 'save_more', 'forecast'],
  largest: ['compare', 'reduce_spending', 'recurring'],
  recent: ['largest', 'spending', 'upcoming'],
  payday: ['upcoming', 'forecast', 'income'],
  charge: ['recurring', 'safe', 'largest'],
  end_loan: ['balance', 'forecast', 'upcoming'],
  income: ['payday', 'spending', 'save_more'],
  balance: ['forecast', 'upcoming', 'afford'],
  credit: ['balance', 'save_more', 'upcoming'],
  points: ['balance', 'spending', 'save_more'],
  budget: ['compare', 'reduce_spending', 'spending'],
  spending: ['compare', 'largest', 'reduce_spending'],
  safe: ['fees', 'balance', 'upcoming'],
  fees: ['safe', 'recurring', 'spending'],
}

/**
 * The questions that are offered after a reply, but for those that it answers: of one that was not understood, what comes near to
 * it, and of spending in a month, the month before.
 */
export function offeredAfter(asks: readonly Ask[], statements: readonly Statement[]): Offer[] {
  const near = statements.flatMap((said): Offer[] => (said.code === 'example' ? [said.intent] : []))
  const last = asks.at(-1)
  const goesOn: Offer[] = last && isOfThisMonth(last) ? ['last_month'] : []
  const after = [...near, ...goesOn, ...((last && AFTER[last.intent]) ?? []), ...FIRST]
  const asked = new Set<string>(asks.map(({ intent }) => intent))
  return [...new Set(after)].filter((offer) => !asked.has(offer)).slice(0, OFFERED_MOST)
}

/** Spending or income in the month that runs: the question can go on with the month before. */
const isOfThisMonth = ({ intent, period }: Ask): boolean =>
  (intent === 'spending' || intent === 'income') && period === null
