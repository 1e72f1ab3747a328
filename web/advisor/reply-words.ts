import { ph, plural, t } from '@lingui/core/macro'
import type { AdvisedLink, AdvisorStatement } from '#contract/advisor.ts'
import type { Offer, SHOP_KINDS } from '#contract/advisor-terms.ts'
import { wholeDay } from '#web/i18n/dates.ts'
import { leftToRight, money, percentage, precisePercentage, rateText, signedPercentage } from '#web/i18n/formats.ts'
import { perLanguage } from '#web/i18n/per-language.ts'
import { categoryText, nameText } from '#web/i18n/words.ts'

/** Surrounds a text written by others with Unicode isolates, so that it cannot change the direction of the text around it. */
const isolate = (text: string): string => `\u2068${text}\u2069`

const usd = (minor: number): string => money(minor, 'USD', { short: true })

/** Returns an estimate as text: in whole dollars from $100 on, with cents below. */
const estimateText = (minor: number): string => usd(Math.abs(minor) < 100_00 ? minor : Math.round(minor / 100) * 100)

const MONTH = perLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
)

const monthText = (month: string): string => MONTH().format(new Date(`${month}-01T00:00:00Z`))

const nameOf = (name: Parameters<typeof nameText>[0]): string => isolate(nameText(name))

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

/** Returns a period in words. A period is a year, a month, a day, or two days with a '/' between them. */
function periodText(period: string): string {
  const [first = '', last] = period.split('/')
  if (last !== undefined) return DAYS().formatRange(new Date(first), new Date(last))
  if (first.length === 'YYYY-MM'.length) return monthText(first)
  return first.length === 'YYYY'.length ? leftToRight(first) : wholeDay(first)
}

/** Returns the subject of a reply. */
function subjectText({
  category,
  kind,
  name,
  amountMinor,
}: Omit<Extract<AdvisorStatement, { code: 'understood' }>, 'code'>): string | null {
  if (name !== undefined) return isolate(name)
  if (amountMinor !== undefined) return money(amountMinor, 'USD')
  if (kind !== undefined) return KINDS[kind]()
  return category === undefined ? null : categoryText(category)
}

function headingText(statement: Extract<AdvisorStatement, { code: 'understood' }>): string {
  const [subject, period] = [
    subjectText(statement),
    statement.period === undefined ? null : periodText(statement.period),
  ]
  if (subject !== null && period !== null)
    return t({
      message: `${subject}, ${period}:`,
      comment: 'Shown before an amount spent. {subject} is the category or shop, {period} the period',
    })
  return t({
    message: `${ph({ about: subject ?? period ?? '' })}:`,
    comment: 'Shown before an amount spent. {about} is the category, shop or period',
  })
}

const LISTED = perLanguage((locale) => new Intl.ListFormat(locale, { type: 'unit', style: 'short' }))

/** Returns all subjects that a question contains. */
function aboutText({
  category,
  kind,
  name,
  amountMinor,
  period,
}: Extract<AdvisorStatement, { code: 'about' }>): string {
  const parts = [{ kind }, { category }, { name }, { amountMinor }].map(subjectText)
  const presentParts = [...parts, period === undefined ? null : periodText(period)].filter((part) => part !== null)
  return LISTED().format(presentParts)
}

/** The suggested questions in the customer's words. The bank understands each of them. */
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
  last_month: () => t({ message: 'And last month?', comment: "A follow-up to a question about this month's spending" }),
}

export const offerText = (offer: Offer): string => OFFER_TEXTS[offer]()

type StatementTexts = {
  [Code in AdvisorStatement['code']]: (statement: Extract<AdvisorStatement, { code: Code }>) => string
}

/** The text of each kind of sentence in a reply. */
const STATEMENT_TEXTS: StatementTexts = {
  understood: headingText,
  about: (statement) =>
    t({
      message: `Here's what I understood: ${ph({ about: aboutText(statement) })}.`,
      comment: '{about} lists a category, a name, an amount and a time',
    }),
  latest: ({ count }) => plural(count, { one: "Here's the latest payment:", other: 'Here are the latest # payments:' }),
  upcoming: ({ count, amountMinor }) =>
    t`${plural(count, { one: '# payment', other: '# payments' })} due in the next 30 days, ${ph({ amount: usd(amountMinor) })} in total.`,
  fees: ({ coinBps, spreadBps, fundBps, lateBps, premiumMinor }) =>
    t`Your account, transfers and cards are free, and so are card payments abroad. We charge ${ph({ coin: rateText(coinBps) })} plus a spread of ${ph({ spread: rateText(spreadBps) })} for a crypto trade, ${ph({ fund: rateText(fundBps) })} for a fund order, ${ph({ late: rateText(lateBps) })} of the overdue amount for a late loan payment, and ${ph({ premium: usd(premiumMinor) })} a month for Premium.`,
  in_all: ({ amountMinor, count }) =>
    count === undefined
      ? t`${ph({ amount: usd(amountMinor) })} in total.`
      : t`${plural(count, { one: '# payment', other: '# payments' })}, ${ph({ amount: usd(amountMinor) })} in total.`,
  came_in: ({ amountMinor }) => t`${ph({ amount: usd(amountMinor) })} came in.`,
  payday_none: () => t`I couldn't find any regular income.`,
  counted_on: ({ monthlyMinor }) =>
    t`Based on what you usually have left in a month: ${ph({ amount: usd(monthlyMinor) })}.`,
  loan_end: () =>
    t`You can repay a loan early at any time, in part or in full. Within 14 days of the payout you can also cancel it.`,
  // The text comes from the help center (bubbles.tsx).
  article: () => '',
  nearest: () => t`You could ask me, for example:`,
  example: ({ intent }) => offerText(intent),
  set_aside: ({ amountMinor }) =>
    t`You could set aside ${ph({ amount: usd(amountMinor) })} a month, about 10% of what you usually have left.`,
  nothing_to_set_aside: ({ incomeMinor, spentMinor }) =>
    t`There's no room to set anything aside yet: on average, ${ph({ income: usd(incomeMinor) })} comes in and ${ph({ spent: usd(spentMinor) })} goes out each month.`,
  dining_up: ({ percent, nowMinor, beforeMinor }) =>
    t`You've spent ${ph({ percent: percentText(percent) })} more on dining out than at this point last month: ${ph({ now: usd(nowMinor) })} compared with ${ph({ before: usd(beforeMinor) })}.`,
  category: ({ category, nowMinor, beforeMinor, percent }) =>
    percent === null
      ? t`${ph({ category: categoryText(category) })}: ${ph({ now: usd(nowMinor) })} this month, ${ph({ before: usd(beforeMinor) })} at this point last month.`
      : t`${ph({ category: categoryText(category) })}: ${ph({ now: usd(nowMinor) })} this month, ${ph({ before: usd(beforeMinor) })} at this point last month (${ph({ change: changeText(percent) })}).`,
  category_in: ({ category, spentMinor, month }) =>
    t`${ph({ category: categoryText(category) })}, ${ph({ month: monthText(month) })}: ${ph({ spent: usd(spentMinor) })}.`,
  largest_category: ({ category, spentMinor, percent }) =>
    t`You spend most on ${ph({ category: categoryText(category) })}: ${ph({ spent: usd(spentMinor) })}, ${ph({ percent: percentText(percent) })} of the total.`,
  cut_by_tenth: ({ savedMinor }) =>
    t`Spending 10% less on that would save you ${ph({ saved: usd(savedMinor) })} a month.`,
  spent_so_far: ({ spentMinor, percent }) => spentSoFar(usd(spentMinor), percent),
  spent_in: ({ spentMinor, month }) =>
    t`${ph({ month: monthText(month) })}: you spent ${ph({ spent: usd(spentMinor) })}.`,
  income_in: ({ incomeMinor, month }) =>
    t`${ph({ month: monthText(month) })}: ${ph({ income: usd(incomeMinor) })} came in.`,
  balance: ({ amountMinor }) => t`You have ${ph({ amount: usd(amountMinor) })} in your account.`,
  saved_in_goals: ({ amountMinor }) => t`You've saved ${ph({ amount: usd(amountMinor) })} in total.`,
  recurring: ({ count, monthlyMinor }) =>
    t`I found ${plural(count, { one: '# recurring payment', other: '# recurring payments' })}, about ${ph({ amount: usd(monthlyMinor) })} a month.`,
  recurring_none: () => t`I couldn't find any recurring payments.`,
  forecast: ({ balanceMinor, on }) =>
    t`On ${ph({ date: wholeDay(on) })} you should have about ${ph({ balance: estimateText(balanceMinor) })} in your account.`,
  still_expected: ({ inMinor, outMinor }) =>
    t`Still expected before then: ${ph({ moneyIn: usd(inMinor) })} in, ${ph({ moneyOut: usd(outMinor) })} out.`,
  goal: ({ name, savedMinor, targetMinor, percent }) =>
    t`${ph({ name: isolate(name) })}: ${ph({ saved: usd(savedMinor) })} of ${ph({ target: usd(targetMinor) })} (${ph({ percent: percentText(percent) })}).`,
  goal_need: ({ name, amountMinor, on }) =>
    t`To reach ${ph({ name: isolate(name) })} by ${ph({ date: wholeDay(on) })}, you need ${ph({ amount: usd(amountMinor) })} a month.`,
  goal_when: ({ name, amountMinor, month }) =>
    t`${ph({ name: isolate(name) })}: with ${ph({ amount: usd(amountMinor) })} a month, you'd reach it in ${ph({ month: monthText(month) })}.`,
  goal_never: ({ name, amountMinor }) =>
    t`${ph({ name: isolate(name) })}: ${ph({ amount: usd(amountMinor) })} a month isn't enough to get there.`,
  goals_reached: () => t`You've reached your goal. Well done!`,
  goals_none: () => t`You don't have any savings goals yet.`,
  largest: ({ name, amountMinor, on }) =>
    t`The largest payment: ${ph({ name: nameOf(name) })}, ${ph({ amount: usd(amountMinor) })}, ${ph({ date: wholeDay(on) })}.`,
  payment: ({ name, amountMinor, on }) =>
    t({
      message: `${ph({ name: nameOf(name) })}: ${ph({ amount: money(amountMinor, 'USD', { sign: 'always' }) })}, ${ph({ date: wholeDay(on) })}.`,
      comment: 'A payment: payee, amount and date',
    }),
  payments_none: () => t`I couldn't find any payments like that.`,
  spent_at: ({ name, amountMinor, count, since }) =>
    t`${ph({ name: nameOf(name) })}: ${plural(count, { one: '# payment', other: '# payments' })} since ${ph({ date: wholeDay(since) })}, ${ph({ amount: usd(amountMinor) })} in total.`,
  due: ({ name, amountMinor, on }) =>
    t`${ph({ name: nameOf(name) })}: ${ph({ amount: usd(amountMinor) })}, expected on ${ph({ date: wholeDay(on) })}.`,
  due_none: () => t`I don't see any payments in the next 30 days.`,
  afford_yes: ({ leftMinor, on }) =>
    t`Yes. You'd still have about ${ph({ left: estimateText(leftMinor) })} on ${ph({ date: wholeDay(on) })}.`,
  afford_no: ({ shortMinor, on }) =>
    t`I'd hold off. You'd be about ${ph({ missing: estimateText(shortMinor) })} short by ${ph({ date: wholeDay(on) })}.`,
  cushion_first: ({ amountMinor }) =>
    t`Before you invest, keep three months of spending easy to reach: ${ph({ amount: usd(amountMinor) })}.`,
  cushion_there: ({ months }) =>
    t`Your savings cover ${plural(months, { one: '# month', other: '# months' })} of spending. You could invest money that you won't need for years.`,
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

export const statementText = (statement: AdvisorStatement): string =>
  (STATEMENT_TEXTS[statement.code] as (statement: AdvisorStatement) => string)(statement)

/** Returns the label of a reply's link. */
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
    helpArticle: () => t`Read the Article`,
  }
  return names[screen]()
}
