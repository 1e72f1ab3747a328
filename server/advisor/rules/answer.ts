import type { AdvisedLink, AdvisorStatement } from '#contract/advisor.ts'
import { EXAMPLES, type Intent, MAX_OFFERED } from '#contract/advisor-terms.ts'
import type { ArticleId } from '#contract/help-texts.ts'
import { type AdvisorFigures } from '#server/advisor/figures/figures.ts'
import { goalReply, goalsReply } from '#server/advisor/rules/answers/goals.ts'
import {
  dueReply,
  forecastReply,
  affordReply,
  paydayReply,
  recurringReply,
} from '#server/advisor/rules/answers/outlook.ts'
import { chargeReply, largestReply, recentReply } from '#server/advisor/rules/answers/payments.ts'
import { investReply, reduceReply, saveReply } from '#server/advisor/rules/answers/saving.ts'
import { compareReply, incomeReply, spendingReply } from '#server/advisor/rules/answers/spending.ts'
import type { ReplyContext } from '#server/advisor/rules/answers/question.ts'
import type { QuestionReading } from '#server/advisor/questions/read.ts'
import type { QuestionDetails } from '#server/advisor/questions/understand.ts'

type Answer = (question: ReplyContext) => Promise<AdvisorStatement[]> | AdvisorStatement[]

const lookAt =
  (screen: AdvisedLink['screen']): Answer =>
  () => [{ code: 'look_here', link: { screen } }]

const cannotMove =
  (screen: AdvisedLink['screen']): Answer =>
  () => [{ code: 'no_moves', link: { screen } }]

/** Returns the link to the help article. */
const article = (id: ArticleId): AdvisorStatement => ({
  code: 'article',
  article: id,
  link: { screen: 'helpArticle', id },
})

const ANSWERS: Readonly<Record<Intent, Answer>> = {
  save_more: saveReply,
  invest_tips: investReply,
  reduce_spending: reduceReply,
  goal_what_if: goalReply,
  afford: affordReply,
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

/** The details in a question's words, and the kinds of question that they match, best match first. */
type ReadingContext = Pick<QuestionReading, 'near' | 'about'>

/** Returns the reply to a question that is not understood: the details that were understood, and similar questions. */
function notUnderstood({ near, about }: ReadingContext): AdvisorStatement[] {
  const examples = EXAMPLES.filter((intent) => near.includes(intent))
    .toSorted((one, other) => near.indexOf(one) - near.indexOf(other))
    .slice(0, MAX_OFFERED)
  const can: AdvisorStatement = { code: 'can_answer', link: { screen: 'helpCenter' } }
  const aboutStatement = aboutOf(about)
  if (examples.length === 0) return [{ code: 'not_understood' }, ...aboutStatement, can]
  return [
    { code: 'not_understood' },
    ...aboutStatement,
    { code: 'nearest' },
    ...examples.map((intent): AdvisorStatement => ({ code: 'example', intent })),
  ]
}

function aboutOf({ category, kind, name, amountMinor, period }: QuestionDetails): AdvisorStatement[] {
  const namedPeriod = period.past ?? period.ahead
  const about = {
    code: 'about' as const,
    ...(category && { category }),
    ...(kind && { kind }),
    ...(name && { name }),
    ...(amountMinor && { amountMinor }),
    ...(namedPeriod && { period: namedPeriod }),
  }
  return Object.keys(about).length > 1 ? [about] : []
}

/** Returns the replies to the questions, in order. There is always at least one. */
export async function replyTo(
  figures: AdvisorFigures,
  { asks, ...words }: QuestionReading,
): Promise<AdvisorStatement[]> {
  const replies: AdvisorStatement[] = []
  for (const ask of asks) replies.push(...(await ANSWERS[ask.intent]({ figures, ask })))
  return replies.length > 0 ? replies : notUnderstood(words)
}
