import type { AdvisedLink, Statement } from '#contract/advisor.ts'
import { EXAMPLES, type Intent } from '#contract/advisor-terms.ts'
import { type Figures } from '#server/advisor/figures/figures.ts'
import { goalReply, goalsReply } from '#server/advisor/rules/answers/goals.ts'
import {
  dueReply,
  forecastReply,
  mayAfford,
  paydayReply,
  recurringReply,
} from '#server/advisor/rules/answers/outlook.ts'
import { chargeReply, largestReply, recentReply } from '#server/advisor/rules/answers/payments.ts'
import { investReply, reduceReply, saveReply } from '#server/advisor/rules/answers/saving.ts'
import { compareReply, incomeReply, spendingReply } from '#server/advisor/rules/answers/spending.ts'
import type { Question } from '#server/advisor/rules/answers/question.ts'
import type { Ask } from '#server/advisor/questions/selection.ts'

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
  charge: chargeReply,
  payday: paydayReply,
  end_loan: () => [{ code: 'loan_end', link: { screen: 'loans' } }],
  how_to: ({ ask: { article } }) =>
    article === null ? [] : [{ code: 'article', article, link: { screen: 'helpArticle', id: article } }],
  help: () => [{ code: 'can_answer', link: { screen: 'helpCenter' } }],
  thanks: () => [{ code: 'welcome' }],
}

/** How many questions are told of. */
const TOLD_MOST = 3

/** That it is not understood, and what can be asked that is near to it. */
function notUnderstood(near: readonly Intent[]): Statement[] {
  const examples = EXAMPLES.filter((intent) => near.includes(intent))
    .toSorted((one, other) => near.indexOf(one) - near.indexOf(other))
    .slice(0, TOLD_MOST)
  const can: Statement = { code: 'can_answer', link: { screen: 'helpCenter' } }
  if (examples.length === 0) return [{ code: 'not_understood' }, can]
  return [
    { code: 'not_understood' },
    { code: 'nearest' },
    ...examples.map((intent): Statement => ({ code: 'example', intent })),
  ]
}

/** The reply to each of the questions, in their order. There is always one. */
export async function replyTo(figures: Figures, asks: readonly Ask[], near: readonly Intent[]): Promise<Statement[]> {
  const replies: Statement[] = []
  for (const ask of asks) replies.push(...(await ANSWERS[ask.intent]({ figures, ask })))
  return replies.length > 0 ? replies : notUnderstood(near)
}
