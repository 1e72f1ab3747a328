import type { AdvisorStatement } from '#contract/advisor.ts'
import { type Intent, type Offer, MAX_OFFERED } from '#contract/advisor-terms.ts'
import type { AdvisorAsk } from '#server/advisor/questions/selection.ts'

/** The default suggestions: the most common questions. */
const FIRST: readonly Offer[] = ['spending', 'upcoming', 'forecast']

/** The suggestions after a reply to each kind of question. */
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
 * Returns the suggestions after a reply, without the questions that it has answered. After a question that was not understood,
 * they are the similar questions. After spending or income in the current month, they include the month before.
 */
export function suggestionsAfter(asks: readonly AdvisorAsk[], statements: readonly AdvisorStatement[]): Offer[] {
  const nearOffers = statements.flatMap((statement): Offer[] =>
    statement.code === 'example' ? [statement.intent] : [],
  )
  const last = asks.at(-1)
  const goesOn: Offer[] = last && isOfThisMonth(last) ? ['last_month'] : []
  const after = [...nearOffers, ...goesOn, ...((last && AFTER[last.intent]) ?? []), ...FIRST]
  const answeredIntents = new Set<string>(asks.map(({ intent }) => intent))
  return [...new Set(after)].filter((offer) => !answeredIntents.has(offer)).slice(0, MAX_OFFERED)
}

/** Returns whether a question is about spending or income in the current month. It can continue with the month before. */
const isOfThisMonth = ({ intent, period }: AdvisorAsk): boolean =>
  (intent === 'spending' || intent === 'income') && period === null
