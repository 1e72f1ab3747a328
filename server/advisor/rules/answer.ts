import type { AdvisedLink, Statement } from '#contract/advisor.ts'
import { EXAMPLES, type Intent, OFFERED_MOST } from '#contract/advisor-terms.ts'
import type { ArticleId } from '#contract/help-texts.ts'
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
import type { Read } from '#server/advisor/questions/read.ts'
import type { Details } from '#server/advisor/questions/understand.ts'

type Answer = (question: Question) => Promise<Statement[]> | Statement[]

const lookAt =
  (screen: AdvisedLink['screen']): Answer =>
  () => [{ code: 'look_here', link: { screen } }]

const cannotMove =
  (screen: AdvisedLink['screen']): Answer =>
  () => [{ code: 'no_moves', link: { screen } }]

/** What the help center says of it. */
const article = (id: ArticleId): Statement => ({
  code: 'article',
  article: id,
  link: { screen: 'helpArticle', id },
})

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
  balance: async ({ figures }) => {
    const amountMinor = await figures.balanceMinor()
    return [{ code: 'balance', amountMinor, link: { screen: 'transactions' }, card: { kind: 'balance', amountMinor } }]
  },
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
  how_to: ({ ask }) => (ask.article === null ? [] : [article(ask.article)]),
  fees: ({ figures: { fees } }) => [{ code: 'fees', ...fees }, article('cashback')],
  safe: () => [article('encryption'), article('confirm_you')],
  help: () => [{ code: 'can_answer', link: { screen: 'helpCenter' } }],
  thanks: () => [{ code: 'welcome' }],
}

/** What the words of a question said for certain, and what they come near to, the nearest first. */
type Words = Pick<Read, 'near' | 'about'>

/** That it is not understood, what of it was, and what can be asked that is near to it. */
function notUnderstood({ near, about }: Words): Statement[] {
  const examples = EXAMPLES.filter((intent) => near.includes(intent))
    .toSorted((one, other) => near.indexOf(one) - near.indexOf(other))
    .slice(0, OFFERED_MOST)
  const can: Statement = { code: 'can_answer', link: { screen: 'helpCenter' } }
  const said = aboutOf(about)
  if (examples.length === 0) return [{ code: 'not_understood' }, ...said, can]
  return [
    { code: 'not_understood' },
    ...said,
    { code: 'nearest' },
    ...examples.map((intent): Statement => ({ code: 'example', intent })),
  ]
}

function aboutOf({ category, kind, name, amountMinor, period }: Details): Statement[] {
  const when = period.past ?? period.ahead
  const about = {
    code: 'about' as const,
    ...(category && { category }),
    ...(kind && { kind }),
    ...(name && { name }),
    ...(amountMinor && { amountMinor }),
    ...(when && { period: when }),
  }
  return Object.keys(about).length > 1 ? [about] : []
}

/** The reply to each of the questions, in their order. There is always one. */
export async function replyTo(figures: Figures, { asks, ...words }: Read): Promise<Statement[]> {
  const replies: Statement[] = []
  for (const ask of asks) replies.push(...(await ANSWERS[ask.intent]({ figures, ask })))
  return replies.length > 0 ? replies : notUnderstood(words)
}
