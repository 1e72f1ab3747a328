import type { AdvisedLink, AdvisorStatement } from '#contract/advisor.ts'
import { MAX_CARD_ROWS } from '#contract/advisor-terms.ts'
import { type Category, isSpendingCategory } from '#contract/categories.ts'
import { type AdvisorPayment, MAX_ADVISOR_PAYMENTS } from '#server/advisor/figures/figures.ts'
import { normalize } from '#server/advisor/questions/normalize.ts'
import { paymentsCard } from '#server/advisor/rules/answers/cards.ts'
import {
  headingOf,
  noPaymentsReply,
  type ReplyContext,
  askedPeriod,
  tooManyPaymentsReply,
} from '#server/advisor/rules/answers/question.ts'
import { firstDayOfMonth } from '#server/calendar/months.ts'

/** The largest number of payees with similar names in a reply, and of payments on its card. */
const MAX_LISTED = 3

/**
 * The numbers of earlier calendar months to search, in addition to the current one. `NAMED_MONTHS`: the first search for
 * payments to a named payee. `CHARGED_MONTHS`: the second such search, and the search for a payment that looks wrong.
 */
const NAMED_MONTHS = 2
const CHARGED_MONTHS = 12

const linkTo = ({ id }: AdvisorPayment) => ({ screen: 'transactionDetail', id }) as const

/** Returns whether a payment matches the question's category, kind and name. */
function isMeant({ ask }: ReplyContext, { name, category, kind }: AdvisorPayment): boolean {
  if (ask.kind !== null && kind !== ask.kind) return false
  if (ask.category !== null && category !== ask.category) return false
  return ask.name === null || isCalled(name, ask.name)
}

const calledOf = ({ params }: AdvisorPayment['name']): string => params['name'] ?? ''

const isCalled = (name: AdvisorPayment['name'], phrase: string): boolean =>
  name.code === 'name' &&
  ` ${normalize(calledOf(name))} `.includes(isWhole(phrase) ? normalize(phrase) : ` ${normalize(phrase)} `)

/** Returns whether a name may match anywhere in a payee's name: it has several words, or its script has no spaces. */
const isWhole = (text: string): boolean => /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\s/u.test(text)

/**
 * Returns the matching payments, newest first, and the link to them. The payments are null if there are too many to read all.
 */
async function meantPayments(question: ReplyContext, from: string, to: string | undefined) {
  const { figures, ask } = question
  const category: Category | undefined = ask.category ?? (ask.kind === null ? undefined : 'food')
  const payments = await figures.payments({ category, from, to, ...(ask.name !== null && { q: ask.name }) })
  const link = {
    ...(category && { category }),
    ...(ask.name !== null && { q: ask.name }),
    from,
    ...(to !== undefined && { to }),
  } satisfies Omit<AdvisedLink, 'screen'>
  return {
    payments: payments.length < MAX_ADVISOR_PAYMENTS ? payments.filter((payment) => isMeant(question, payment)) : null,
    link,
  }
}

const sumOf = (payments: readonly AdvisorPayment[]): number =>
  payments.reduce((sum, { amountMinor }) => sum - amountMinor, 0)

/**
 * Replies with the payments to the named payee, in the question's period or in recent months. If there are none in recent
 * months, the reply covers the last year.
 */
export async function paidToReply(question: ReplyContext, months = NAMED_MONTHS): Promise<AdvisorStatement[]> {
  const { figures, ask } = question
  const firstDay = firstDayOfMonth(figures.now, -months)
  const time = ask.period === null ? { from: firstDay, to: undefined } : askedPeriod(question)
  const { payments, link } = await meantPayments(question, time.from, time.to)
  if (payments === null) return tooManyPaymentsReply(question, link)
  const outgoingPayments = payments.filter(({ amountMinor }) => amountMinor < 0)
  if (outgoingPayments.length === 0 && ask.period === null && months < CHARGED_MONTHS)
    return paidToReply(question, CHARGED_MONTHS)
  if (outgoingPayments.length === 0)
    return noPaymentsReply(question, { q: ask.name ?? '', ...(ask.period !== null && time) })
  // Payees with different full names are listed separately.
  const groups = [...Map.groupBy(outgoingPayments, ({ name }) => normalize(calledOf(name))).values()].slice(
    0,
    MAX_LISTED,
  )
  return groups.flatMap((group): AdvisorStatement[] => {
    const name = group[0]?.name
    const [amountMinor, count] = [sumOf(group), group.length]
    if (!name) return []
    const called = calledOf(name)
    const paymentsLink = { screen: 'transactions', ...link, q: called } as const
    const card = {
      kind: 'paid' as const,
      name: called,
      isPerson: group.some(({ transaction: shown }) => shown.paymentMethod?.code === 'alder_transfer'),
      amountMinor,
      count,
      from: time.from,
      to: time.to ?? null,
    }
    if (ask.period === null)
      return [{ code: 'spent_at', name, amountMinor, count, since: firstDay, link: paymentsLink, card }]
    const heading = headingOf({ figures, ask: { ...ask, name: called } })
    return [...heading, { code: 'in_all', amountMinor, count, link: paymentsLink, card }]
  })
}

/** Replies with the sum of single payments: for a kind of shop, or for a period that is not a calendar month. */
export async function addedUpReply(question: ReplyContext): Promise<AdvisorStatement[]> {
  const { period, from, to } = askedPeriod(question)
  const { payments, link } = await meantPayments(question, from, to)
  if (payments === null) return tooManyPaymentsReply(question, link)
  const spent = payments.filter(({ category }) => isSpendingCategory(category))
  const context = { ...question, ask: { ...question.ask, period } }
  if (spent.length === 0) return noPaymentsReply(context, { from, to })
  return [
    ...headingOf(context),
    {
      code: 'in_all',
      amountMinor: sumOf(spent),
      count: spent.length,
      link: { screen: 'transactions', ...link },
      ...paymentsCard(spent.slice(0, MAX_LISTED)),
    },
  ]
}

export async function largestReply(question: ReplyContext): Promise<AdvisorStatement[]> {
  const { from, to } = askedPeriod(question)
  const { payments, link } = await meantPayments(question, from, to)
  if (payments === null) return tooManyPaymentsReply(question, link)
  const spent = payments.filter(({ amountMinor, category }) => amountMinor < 0 && isSpendingCategory(category))
  const [largest] = spent.toSorted((one, other) => one.amountMinor - other.amountMinor)
  if (!largest) return noPaymentsReply(question, { from, to })
  const { name, amountMinor, on } = largest
  return [
    ...headingOf(question),
    { code: 'largest', name, amountMinor: -amountMinor, on, link: linkTo(largest), ...paymentsCard([largest]) },
  ]
}

export async function recentReply(question: ReplyContext): Promise<AdvisorStatement[]> {
  const { figures, ask } = question
  const time = ask.period === null ? {} : askedPeriod(question)
  const query = { category: ask.category ?? undefined, ...(ask.name !== null && { q: ask.name }) }
  const { from, to } = { from: undefined, to: undefined, ...time }
  const payments = (await figures.payments({ ...query, from, to })).filter((payment) => isMeant(question, payment))
  if (payments.length === 0) return noPaymentsReply(question, { ...(ask.period !== null && { from, to }) })
  return [...headingOf(question), listed(payments)]
}

/** Returns the latest payments. A single payment is also described in words. */
function listed(payments: readonly AdvisorPayment[]): AdvisorStatement {
  const latest = payments.slice(0, MAX_CARD_ROWS)
  const [first] = latest
  return latest.length === 1 && first
    ? {
        code: 'payment',
        name: first.name,
        amountMinor: first.amountMinor,
        on: first.on,
        link: linkTo(first),
        ...paymentsCard(latest),
      }
    : { code: 'latest', count: latest.length, ...paymentsCard(latest) }
}

/** Replies with the latest payments of an amount or to a payee, and with advice about a wrong one. */
export async function chargeReply(question: ReplyContext): Promise<AdvisorStatement[]> {
  const { figures, ask } = question
  const time = ask.period === null ? null : askedPeriod(question)
  const from = time?.from ?? firstDayOfMonth(figures.now, -CHARGED_MONTHS)
  const payments = await figures.payments({ from, to: time?.to, ...(ask.name !== null && { q: ask.name }) })
  const charged = payments.filter(
    (payment) =>
      payment.amountMinor < 0 &&
      (ask.amountMinor === null || payment.amountMinor === -ask.amountMinor) &&
      isMeant(question, payment),
  )
  if (charged.length === 0) return noPaymentsReply(question, {})
  const article = {
    code: 'article',
    article: 'report_payment',
    link: { screen: 'helpArticle', id: 'report_payment' },
  } as const
  return [...headingOf(question), listed(charged.slice(0, MAX_LISTED)), article]
}
