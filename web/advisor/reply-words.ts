import { ph, plural, t } from '@lingui/core/macro'
import type { AdvisedLink, Statement } from '#contract/advisor.ts'
import type { Offer, SHOP_KINDS } from '#contract/advisor-terms.ts'
import { wholeDay } from '#web/i18n/dates.ts'
import { leftToRight, money, percentage, precisePercentage, rateText, signedPercentage } from '#web/i18n/formats.ts'
import { perLanguage } from '#web/i18n/per-language.ts'
import { categoryText, nameText } from '#web/i18n/words.ts'

/** Keeps what others wrote from turning the text around it: Unicode's isolating marks. */
const isolated = (text: string): string => `\u2068${text}\u2069`

const usd = (minor: number): string => money(minor, 'USD', { short: true })

/** An estimate is said in whole dollars; below $100 it keeps its cents. */
const about = (minor: number): string => usd(Math.abs(minor) < 100_00 ? minor : Math.round(minor / 100) * 100)

const MONTH = perLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
)

const monthText = (month: string): string => MONTH().format(new Date(`${month}-01T00:00:00Z`))

const named = (name: Parameters<typeof nameText>[0]): string => isolated(nameText(name))

const percentText = (percent: number): string => leftToRight(percentage(Math.abs(percent)))

const changeText = (percent: number): string => leftToRight(signedPercentage(percent))

const KINDS: Record<(typeof SHOP_KINDS)[number], () => string> = {
  coffee: () => t({ message: 'Coffee', comment: 'Payments at coffee shops' }),
  bakery: () => t({ message: 'Bakeries', comment: 'Payments at bakeries' }),
  groceries: () => t({ message: 'Groceries', comment: 'Payments at supermarkets' }),
  restaurant: () => t({ message: 'Restaurants', comment: 'Payments at restaurants' }),
}

const DAYS = perLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
)

/** A year, a month, a day, or two days with a '/' between them. */
function periodText(period: string): string {
  const [first = '', last] = period.split('/')
  if (last !== undefined) return DAYS().formatRange(new Date(first), new Date(last))
  if (first.length === 'YYYY-MM'.length) return monthText(first)
  return first.length === 'YYYY'.length ? leftToRight(first) : wholeDay(first)
}

/** What a reply is about. */
function subjectText({
  category,
  kind,
  name,
  amountMinor,
}: Omit<Extract<Statement, { code: 'understood' }>, 'code'>): string | null {
  if (name !== undefined) return isolated(name)
  if (amountMinor !== undefined) return money(amountMinor, 'USD')
  if (kind !== undefined) return KINDS[kind]()
  return category === undefined ? null : categoryText(category)
}

function headingText(said: Extract<Statement, { code: 'understood' }>): string {
  const [subject, period] = [subjectText(said), said.period === undefined ? null : periodText(said.period)]
  if (subject !== null && period !== null)
    return t({ message: `${subject}, ${period}:`, comment: 'Before what was spent: on what, and when' })
  return t({
    message: `${ph({ about: subject ?? period ?? '' })}:`,
    comment: 'Before what was spent: on what, or when',
  })
}

const LISTED = perLanguage((locale) => new Intl.ListFormat(locale, { type: 'unit', style: 'short' }))

/** All that the words of a question name. */
function aboutText({ category, kind, name, amountMinor, period }: Extract<Statement, { code: 'about' }>): string {
  const parts = [{ kind }, { category }, { name }, { amountMinor }].map(subjectText)
  const all = [...parts, period === undefined ? null : periodText(period)].filter((part) => part !== null)
  return LISTED().format(all)
}

/** A question that can be asked, as the customer would ask it. The bank understands each of them. */
const OFFER_TEXTS: Record<Offer, () => string> = {
  spending: () => t`How much did I spend on food last month?`,
  recurring: () => t`What subscriptions do I have?`,
  upcoming: () => t`Which payments are coming up?`,
  payday: () => t`When do I get paid?`,
  afford: () => t`Can I afford $600?`,
  goals: () => t`How are my savings goals?`,
  largest: () => t`What was my largest payment this month?`,
  balance: () => t`What's my balance?`,
  income: () => t`How much did I earn last month?`,
  charge: () => t`Why was I charged $15.99?`,
  save_more: () => t`How can I save more?`,
  reduce_spending: () => t`Reduce my spending`,
  invest_tips: () => t`Investment tips`,
  compare: () => t`How does this month compare with last month?`,
  forecast: () => t`What will I have at the end of the month?`,
  goal_what_if: () => t`What if I save $300 a month?`,
  fees: () => t`What fees do you charge?`,
  safe: () => t`Is my money safe?`,
  last_month: () => t({ message: 'And last month?', comment: 'Goes on with a question about spending this month' }),
}

export const offerText = (offer: Offer): string => OFFER_TEXTS[offer]()

type Words = { [Code in Statement['code']]: (said: Extract<Statement, { code: Code }>) => string }

/** What each sentence of a reply says. */
const WORDS: Words = {
  understood: headingText,
  about: (said) =>
    t({
      message: `What I understood: ${ph({ about: aboutText(said) })}.`,
      comment: 'A category, a name, an amount, a time',
    }),
  latest: ({ count }) => plural(count, { one: "Here's the latest payment:", other: 'Here are the latest # payments:' }),
  upcoming: ({ count, amountMinor }) =>
    t`${plural(count, { one: '# payment', other: '# payments' })} due in the next 30 days, ${ph({ amount: usd(amountMinor) })} in all.`,
  fees: ({ coinBps, spreadBps, fundBps, lateBps, premiumMinor }) =>
    t`We charge nothing for your account, transfers and cards, abroad too. A coin trade costs ${ph({ coin: rateText(coinBps) })} plus a spread of ${ph({ spread: rateText(spreadBps) })}, a fund order ${ph({ fund: rateText(fundBps) })}, a late loan payment ${ph({ late: rateText(lateBps) })} of what's missing, and Premium ${ph({ premium: usd(premiumMinor) })} a month.`,
  in_all: ({ amountMinor, count }) =>
    count === undefined
      ? t`${ph({ amount: usd(amountMinor) })} in all.`
      : t`${plural(count, { one: '# payment', other: '# payments' })}, ${ph({ amount: usd(amountMinor) })} in all.`,
  came_in: ({ amountMinor }) => t`${ph({ amount: usd(amountMinor) })} came in.`,
  payday_none: () => t`I found no regular income.`,
  counted_on: ({ monthlyMinor }) =>
    t`Based on what you usually have left in a month: ${ph({ amount: usd(monthlyMinor) })}.`,
  loan_end: () =>
    t`You can repay a loan early at any time, in part or in full. Within 14 days of the payout you can also cancel it.`,
  // Its words are the help center's (bubbles.tsx).
  article: () => '',
  nearest: () => t`You could ask me, for example:`,
  example: ({ intent }) => offerText(intent),
  set_aside: ({ amountMinor }) =>
    t`You could set aside ${ph({ amount: usd(amountMinor) })} a month, about a tenth of what you usually have left.`,
  nothing_to_set_aside: ({ incomeMinor, spentMinor }) =>
    t`There's no room to set anything aside yet: on average, ${ph({ income: usd(incomeMinor) })} comes in and ${ph({ spent: usd(spentMinor) })} goes out each month.`,
  dining_up: ({ percent, nowMinor, beforeMinor }) =>
    t`You've spent ${ph({ percent: percentText(percent) })} more on dining out than at this point last month: ${ph({ now: usd(nowMinor) })} instead of ${ph({ before: usd(beforeMinor) })}.`,
  category: ({ category, nowMinor, beforeMinor, percent }) =>
    percent === null
      ? t`${ph({ category: categoryText(category) })}: ${ph({ now: usd(nowMinor) })} this month, ${ph({ before: usd(beforeMinor) })} at this point last month.`
      : t`${ph({ category: categoryText(category) })}: ${ph({ now: usd(nowMinor) })} this month, ${ph({ before: usd(beforeMinor) })} at this point last month (${ph({ change: changeText(percent) })}).`,
  category_in: ({ category, spentMinor, month }) =>
    t`${ph({ category: categoryText(category) })}, ${ph({ month: monthText(month) })}: ${ph({ spent: usd(spentMinor) })}.`,
  largest_category: ({ category, spentMinor, percent }) =>
    t`You spend most on ${ph({ category: categoryText(category) })}: ${ph({ spent: usd(spentMinor) })}, ${ph({ percent: percentText(percent) })} of the total.`,
  cut_by_tenth: ({ savedMinor }) =>
    t`Spending a tenth less on that would save you ${ph({ saved: usd(savedMinor) })} a month.`,
  spent_so_far: ({ spentMinor, percent }) => spentSoFar(usd(spentMinor), percent),
  spent_in: ({ spentMinor, month }) =>
    t`${ph({ month: monthText(month) })}: you spent ${ph({ spent: usd(spentMinor) })}.`,
  income_in: ({ incomeMinor, month }) =>
    t`${ph({ month: monthText(month) })}: ${ph({ income: usd(incomeMinor) })} came in.`,
  balance: ({ amountMinor }) => t`You have ${ph({ amount: usd(amountMinor) })} in your account.`,
  saved_in_goals: ({ amountMinor }) => t`You've saved ${ph({ amount: usd(amountMinor) })} in all.`,
  recurring: ({ count, monthlyMinor }) =>
    t`I found ${plural(count, { one: '# recurring payment', other: '# recurring payments' })}, about ${ph({ amount: usd(monthlyMinor) })} a month.`,
  recurring_none: () => t`I found no recurring payments.`,
  forecast: ({ balanceMinor, on }) =>
    t`On ${ph({ date: wholeDay(on) })} you should have about ${ph({ balance: about(balanceMinor) })} in your account.`,
  still_expected: ({ inMinor, outMinor }) =>
    t`Still expected until then: ${ph({ moneyIn: usd(inMinor) })} in, ${ph({ moneyOut: usd(outMinor) })} out.`,
  goal: ({ name, savedMinor, targetMinor, percent }) =>
    t`${ph({ name: isolated(name) })}: ${ph({ saved: usd(savedMinor) })} of ${ph({ target: usd(targetMinor) })} (${ph({ percent: percentText(percent) })}).`,
  goal_need: ({ name, amountMinor, on }) =>
    t`To reach it by ${ph({ date: wholeDay(on) })}, you need ${ph({ amount: usd(amountMinor) })} a month for ${ph({ name: isolated(name) })}.`,
  goal_when: ({ name, amountMinor, month }) =>
    t`${ph({ name: isolated(name) })}: with ${ph({ amount: usd(amountMinor) })} a month, you'd be there in ${ph({ month: monthText(month) })}.`,
  goal_never: ({ name, amountMinor }) =>
    t`${ph({ name: isolated(name) })}: ${ph({ amount: usd(amountMinor) })} a month isn't enough to get there.`,
  goals_reached: () => t`You've reached your goal. Well done!`,
  goals_none: () => t`You don't have any savings goals yet.`,
  largest: ({ name, amountMinor, on }) =>
    t`The largest payment: ${ph({ name: named(name) })}, ${ph({ amount: usd(amountMinor) })}, ${ph({ date: wholeDay(on) })}.`,
  payment: ({ name, amountMinor, on }) =>
    t({
      message: `${ph({ name: named(name) })}: ${ph({ amount: money(amountMinor, 'USD', { sign: 'always' }) })}, ${ph({ date: wholeDay(on) })}.`,
      comment: 'A payment: whom, how much, when',
    }),
  payments_none: () => t`I found no payments like that.`,
  spent_at: ({ name, amountMinor, count, since }) =>
    t`${ph({ name: named(name) })}: ${plural(count, { one: '# payment', other: '# payments' })} since ${ph({ date: wholeDay(since) })}, ${ph({ amount: usd(amountMinor) })} in all.`,
  due: ({ name, amountMinor, on }) =>
    t`${ph({ name: named(name) })}: ${ph({ amount: usd(amountMinor) })}, expected on ${ph({ date: wholeDay(on) })}.`,
  due_none: () => t`I know of no payments in the next 30 days.`,
  afford_yes: ({ leftMinor, on }) =>
    t`Yes. You'd still have about ${ph({ left: about(leftMinor) })} on ${ph({ date: wholeDay(on) })}.`,
  afford_no: ({ shortMinor, on }) =>
    t`Better not. You'd be about ${ph({ missing: about(shortMinor) })} short by ${ph({ date: wholeDay(on) })}.`,
  cushion_first: ({ amountMinor }) =>
    t`Before you invest, keep three months of spending where you can reach it: ${ph({ amount: usd(amountMinor) })}.`,
  cushion_there: ({ months }) =>
    t`Your savings cover ${plural(months, { one: '# month', other: '# months' })} of spending. What you won't need for years could be invested.`,
  invest_risk: () => t`Prices can fall as well as rise. I can't tell you what to buy.`,
  points: ({ points }) => t`You have ${plural(points, { one: '# point', other: '# points' })}.`,
  credit_score: ({ score }) => t`Your credit score is ${ph({ score: leftToRight(String(score)) })}.`,
  no_moves: () => t`I can't move money or change anything, but you can do it here.`,
  look_here: () => t`You'll find that here.`,
  not_advised: () => t`I can't predict prices, recommend what to buy, or advise you on tax, law or insurance.`,
  not_understood: () => t`I can't answer that.`,
  can_answer: () =>
    t`You can ask me about your spending, income, recurring payments, savings goals, upcoming bills, and how much you'll have left this month.`,
  welcome: () => t`You're welcome!`,
}

function spentSoFar(spent: string, percent: number | null): string {
  if (percent === null || percent === 0) return t`You've spent ${spent} so far this month.`
  const change = leftToRight(precisePercentage(Math.abs(percent)))
  return percent > 0
    ? t`You've spent ${spent} so far this month, ${change} more than at this point last month.`
    : t`You've spent ${spent} so far this month, ${change} less than at this point last month.`
}

export const statementText = (said: Statement): string => (WORDS[said.code] as (one: Statement) => string)(said)

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
    helpArticle: () => t`Read the article`,
  }
  return names[screen]()
}
