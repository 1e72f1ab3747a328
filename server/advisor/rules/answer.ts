import type { AdvisedLink, Statement } from '#contract/advisor.ts'
import { type Figures } from '#server/advisor/figures/figures.ts'
import { goalReply, goalsReply } from '#server/advisor/rules/answers/goals.ts'
import { dueReply, forecastReply, mayAfford, recurringReply } from '#server/advisor/rules/answers/outlook.ts'
import { largestReply, recentReply, spentAtReply } from '#server/advisor/rules/answers/payments.ts'
import { investReply, reduceReply, saveReply } from '#server/advisor/rules/answers/saving.ts'
import { compareReply, incomeReply, spendingReply } from '#server/advisor/rules/answers/spending.ts'
import type { Question } from '#server/advisor/rules/question.ts'
import type { Intent } from '#server/advisor/questions/keywords/intents.ts'
import { type Understood, understand } from '#server/advisor/questions/understand.ts'

type Answer = (question: Question) => Promise<Statement[]> | Statement[]

const lookAt =
  (screen: AdvisedLink['screen']): Answer =>
  () => [{ code: 'look_here', link: { screen } }]

const cannotMove =
  (screen: AdvisedLink['screen']): Answer =>
  () => [{ code: 'no_moves', link: { screen } }]

const ANSWERS: Readonly<Record<Intent, Answer>> = {
  save_more: saveReply,
  invest_tips: investReply,
  reduce_spending: reduceReply,
  goal_what_if: goalReply,
  afford: mayAfford,
  forecast: forecastReply,
  compare: compareReply,
  recurring: recurringReply,
  upcoming: dueReply,
  goals: goalsReply,
  largest: largestReply,
  recent: recentReply,
  income: incomeReply,
  balance: async ({ figures }) => [
    { code: 'balance', amountMinor: await figures.balanceMinor(), link: { screen: 'transactions' } },
  ],
  points: async ({ figures }) => [{ code: 'points', points: await figures.points(), link: { screen: 'rewards' } }],
  credit: async ({ figures }) => [
    { code: 'credit_score', score: await figures.creditScore(), link: { screen: 'loans' } },
  ],
  crypto: () => [{ code: 'invest_risk', link: { screen: 'crypto' } }],
  carbon: lookAt('carbonFootprint'),
  cards: cannotMove('cards'),
  send: cannotMove('transfer'),
  add_money: cannotMove('addMoney'),
  budget: lookAt('analytics'),
  spending: spendingReply,
  refused: () => [{ code: 'not_advised' }, { code: 'can_answer' }],
  help: () => [{ code: 'can_answer', link: { screen: 'helpCenter' } }],
  thanks: () => [{ code: 'welcome' }],
}

const NOT_UNDERSTOOD: Statement[] = [{ code: 'not_understood' }, { code: 'can_answer', link: { screen: 'helpCenter' } }]

/** What is told of a month, and what of now alone. */
const OF_A_MONTH: ReadonlySet<Intent> = new Set(['spending', 'income', 'largest'])
const OF_NOW: ReadonlySet<Intent> = new Set(['compare', 'recent', 'balance', 'forecast', 'afford'])
/** What is never told of a day or a week. */
const OF_NO_WEEK: ReadonlySet<Intent> = new Set([...OF_A_MONTH, 'compare', 'recent'])

/** Whether it asks for what no reply is made of: less than nothing, or another time than those that are told of. */
function isBeyond({ intent, amountMinor, isYearNamed, isOtherPeriod }: Understood): boolean {
  if (amountMinor !== null && amountMinor < 0) return true
  if (intent === null) return false
  return (isOtherPeriod && OF_NO_WEEK.has(intent)) || (isYearNamed && OF_NOW.has(intent))
}

/** Nothing was paid to whom it names, or in the month whose year it names; null where there is something to tell. */
async function nothingThere({ figures, understood }: Question): Promise<Statement[] | null> {
  const { intent, payee, monthsBack, isYearNamed } = understood
  if (intent === 'spending' && payee !== null)
    return [{ code: 'payments_none', link: { screen: 'transactions', q: payee } }]
  if (intent === null || !OF_A_MONTH.has(intent) || !isYearNamed || monthsBack === null) return null
  const { incomeMinor, expensesMinor, from, to } = await figures.month(monthsBack)
  if (incomeMinor !== 0 || expensesMinor !== 0) return null
  return [{ code: 'payments_none', link: { screen: 'transactions', from, to } }]
}

/** What the rules reply to a question of this customer's. There is always a reply. */
export async function ruledReply(figures: Figures, text: string, language: string): Promise<Statement[]> {
  const understood = understand(text, language, figures.now)
  const question = { figures, text, understood }
  if (isBeyond(understood)) return NOT_UNDERSTOOD
  // Whoever is named is asked about, unless the words ask for something else.
  if (understood.intent === null || understood.intent === 'spending' || understood.intent === 'recent') {
    const named = await spentAtReply(question)
    if (named) return named
  }
  if (understood.intent === null) return NOT_UNDERSTOOD
  return (await nothingThere(question)) ?? ANSWERS[understood.intent](question)
}
