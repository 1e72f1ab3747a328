import { plural, t } from '@lingui/core/macro'
import type { AdvisedLink, Statement } from '#contract/advisor.ts'
import { wholeDay } from '#web/i18n/dates.ts'
import { leftToRight, money, percentage, perLanguage } from '#web/i18n/formats.ts'
import { categoryText, nameText } from '#web/i18n/words.ts'

/** Keeps what others wrote from turning the text around it: Unicode's isolating marks. */
const isolated = (text: string): string => `\u2068${text}\u2069`

const usd = (minor: number): string => money(minor, 'USD', { short: true })

const MONTH = perLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
)

const monthText = (month: string): string => MONTH().format(new Date(`${month}-01T00:00:00Z`))

const named = (name: Parameters<typeof nameText>[0]): string => isolated(nameText(name))

const percentText = (percent: number): string => leftToRight(percentage(Math.abs(percent)))

const changeText = (percent: number): string =>
  leftToRight(`${percent > 0 ? '+' : percent < 0 ? '−' : ''}${percentage(Math.abs(percent))}`)

type Words = { [Code in Statement['code']]: (said: Extract<Statement, { code: Code }>) => string }

/** What each sentence of a reply says. */
const WORDS: Words = {
  set_aside: ({ amountMinor }) =>
    t`You could set aside ${usd(amountMinor)} per month: about a tenth of what your month leaves you.`,
  nothing_to_set_aside: ({ incomeMinor, spentMinor }) =>
    t`There's no room to set anything aside this month: ${usd(incomeMinor)} came in and ${usd(spentMinor)} went out.`,
  dining_up: ({ percent, nowMinor, beforeMinor }) =>
    t`You've spent ${percentText(percent)} more on dining out than last month: ${usd(nowMinor)} instead of ${usd(beforeMinor)}.`,
  category: ({ category, nowMinor, beforeMinor, percent }) =>
    percent === null
      ? t`${categoryText(category)}: ${usd(nowMinor)} this month, ${usd(beforeMinor)} last month.`
      : t`${categoryText(category)}: ${usd(nowMinor)} this month, ${usd(beforeMinor)} last month (${changeText(percent)}).`,
  category_in: ({ category, spentMinor, month }) =>
    t`${categoryText(category)}, ${monthText(month)}: ${usd(spentMinor)}.`,
  largest_category: ({ category, spentMinor, percent }) =>
    t`Most of it went here: ${categoryText(category)}, ${usd(spentMinor)} (${percentText(percent)}).`,
  cut_by_tenth: ({ savedMinor }) => t`Spending a tenth less on that would save you ${usd(savedMinor)} per month.`,
  spent_so_far: ({ spentMinor, percent }) => spentSoFar(usd(spentMinor), percent),
  spent_in: ({ spentMinor, month }) => t`${monthText(month)}: you spent ${usd(spentMinor)}.`,
  income_in: ({ incomeMinor, month }) => t`${monthText(month)}: ${usd(incomeMinor)} came in.`,
  balance: ({ amountMinor }) => t`You have ${usd(amountMinor)} in your account.`,
  saved_in_goals: ({ amountMinor }) => t`You've saved ${usd(amountMinor)} in all.`,
  recurring: ({ count, monthlyMinor }) =>
    t`I found ${plural(count, { one: '# recurring payment', other: '# recurring payments' })}, about ${usd(monthlyMinor)} per month.`,
  recurring_none: () => t`I found no recurring payments.`,
  forecast: ({ balanceMinor, on }) => t`On ${wholeDay(on)} your balance should be about ${usd(balanceMinor)}.`,
  still_expected: ({ inMinor, outMinor }) => t`Still expected until then: ${usd(inMinor)} in, ${usd(outMinor)} out.`,
  goal: ({ name, savedMinor, targetMinor, percent }) =>
    t`${isolated(name)}: ${usd(savedMinor)} of ${usd(targetMinor)} (${percentText(percent)}).`,
  goal_need: ({ name, amountMinor, on }) =>
    t`To reach it by ${wholeDay(on)}, you need ${usd(amountMinor)} per month for ${isolated(name)}.`,
  goal_when: ({ name, amountMinor, month }) =>
    t`${isolated(name)}: with ${usd(amountMinor)} per month, you'd be there in ${monthText(month)}.`,
  goal_never: ({ name, amountMinor }) => t`${isolated(name)}: ${usd(amountMinor)} per month isn't enough to get there.`,
  goals_reached: () => t`You've reached your goal. Well done!`,
  goals_none: () => t`You don't have any savings goals yet.`,
  largest: ({ name, amountMinor, on }) => t`The largest payment: ${named(name)}, ${usd(amountMinor)}, ${wholeDay(on)}.`,
  payment: ({ name, amountMinor, on }) =>
    t({
      message: `${named(name)}: ${money(amountMinor, 'USD', { sign: 'always' })}, ${wholeDay(on)}.`,
      comment: 'A payment: whom, how much, when',
    }),
  payments_none: () => t`I found no payments like that.`,
  spent_at: ({ name, amountMinor, count, since }) =>
    t`${named(name)}: ${plural(count, { one: '# payment', other: '# payments' })} since ${wholeDay(since)}, ${usd(amountMinor)} in all.`,
  due: ({ name, amountMinor, on }) => t`${named(name)}: ${usd(amountMinor)}, expected on ${wholeDay(on)}.`,
  due_none: () => t`I know of no payments in the next 30 days.`,
  afford_yes: ({ amountMinor, leftMinor, on }) =>
    t`Yes: after spending ${usd(amountMinor)}, you'd have about ${usd(leftMinor)} left until ${wholeDay(on)}.`,
  afford_no: ({ amountMinor, shortMinor, on }) =>
    t`Better not: after spending ${usd(amountMinor)}, you'd be about ${usd(shortMinor)} short by ${wholeDay(on)}.`,
  cushion_first: ({ amountMinor }) =>
    t`Before you invest, keep three months of spending where you can reach it: ${usd(amountMinor)}.`,
  cushion_there: ({ months }) =>
    t`Your savings cover ${plural(months, { one: '# month', other: '# months' })} of spending. What you won't need for years could be invested.`,
  invest_risk: () => t`Prices can fall as well as rise. I can't tell you what to buy.`,
  points: ({ points }) => t`You have ${plural(points, { one: '# point', other: '# points' })}.`,
  credit_score: ({ score }) => t`Your credit score is ${leftToRight(String(score))}.`,
  no_moves: () => t`I can't move money or change anything, but you can do it here.`,
  look_here: () => t`You'll find that here.`,
  not_advised: () => t`I can't predict prices, recommend what to buy, or advise you on tax, law or insurance.`,
  not_understood: () => t`I can't answer that.`,
  can_answer: () =>
    t`You can ask me about your spending, income, recurring payments, savings goals, what's due, and what your month will leave.`,
  welcome: () => t`You're welcome!`,
}

function spentSoFar(spent: string, percent: number | null): string {
  if (percent === null || percent === 0) return t`You've spent ${spent} so far this month.`
  const change = percentText(percent)
  return percent > 0
    ? t`You've spent ${spent} so far this month, ${change} more than in all of last month.`
    : t`You've spent ${spent} so far this month, ${change} less than in all of last month.`
}

export const statementText = <Said extends Statement>(said: Said): string =>
  (WORDS[said.code] as (said: Statement) => string)(said)

/** What a link of a reply leads to. */
export function linkText({ screen, category, q }: AdvisedLink): string {
  const names: Record<AdvisedLink['screen'], () => string> = {
    transactions: () => (category ? categoryText(category) : (q ?? t`Transactions`)),
    transactionDetail: () => t`Transaction Details`,
    dashboard: () => t`Home`,
    savings: () => t`Savings`,
    invest: () => t`Invest`,
    crypto: () => t`Crypto`,
    rewards: () => t`Rewards`,
    loans: () => t`Loans`,
    cards: () => t`Cards`,
    transfer: () => t`Send Money`,
    addMoney: () => t`Add Money`,
    analytics: () => t`Analytics`,
    carbonFootprint: () => t`Carbon Footprint`,
    helpCenter: () => t`Help Center`,
  }
  return names[screen]()
}
