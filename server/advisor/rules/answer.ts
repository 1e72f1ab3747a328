import type { AdvisedLink, Statement } from '#contract/advisor.ts'
import { type Figures } from '#server/advisor/figures/figures.ts'
import { goalReply, goalsReply } from '#server/advisor/rules/answers/goals.ts'
import { dueReply, forecastReply, mayAfford, recurringReply } from '#server/advisor/rules/answers/outlook.ts'
import { largestReply, recentReply, spentAtReply } from '#server/advisor/rules/answers/payments.ts'
import { investReply, reduceReply, saveReply } from '#server/advisor/rules/answers/saving.ts'
import { compareReply, incomeReply, spendingReply } from '#server/advisor/rules/answers/spending.ts'
import type { Intent } from '#server/advisor/questions/keywords/intents.ts'
import { type Understood, understand } from '#server/advisor/questions/understand.ts'

/** What a reply is made from. */
export type Asked = { figures: Figures; question: string; understood: Understood }

type Answer = (asked: Asked) => Promise<Statement[]> | Statement[]

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

/** What the rules reply to a question of this customer's. There is always a reply. */
export async function ruledReply(figures: Figures, question: string, language: string): Promise<Statement[]> {
  const understood = understand(question, language, figures.now)
  const asked = { figures, question, understood }
  // Whoever is named is asked about, unless the words ask for something else.
  if (understood.intent === null || understood.intent === 'spending' || understood.intent === 'recent') {
    const named = await spentAtReply(asked)
    if (named) return named
  }
  if (understood.intent === null)
    return [{ code: 'not_understood' }, { code: 'can_answer', link: { screen: 'helpCenter' } }]
  return ANSWERS[understood.intent](asked)
}
