import type { AdvisedLink, Statement } from '#contract/advisor.ts'
import { CARD_ROWS_MOST } from '#contract/advisor-terms.ts'
import { type Category, isSpendingCategory } from '#contract/categories.ts'
import { type Payment, PAYMENTS_MOST } from '#server/advisor/figures/figures.ts'
import { normalised } from '#server/advisor/questions/normalise.ts'
import { paymentsCard } from '#server/advisor/rules/answers/cards.ts'
import { headingOf, nothing, type Question, timeOf, tooMany } from '#server/advisor/rules/answers/question.ts'
import { firstDayOfMonth } from '#server/calendar/months.ts'

/** How many of those who are called alike a reply tells of, and how many payments its card shows. */
const LISTED_MOST = 3

/** How far back whoever is named is looked for, and a payment of an amount, in calendar months. */
const NAMED_MONTHS = 2
const CHARGED_MONTHS = 12

const linkTo = ({ id }: Payment) => ({ screen: 'transactionDetail', id }) as const

/** What is asked about, of which category, kind or name it be. */
function isMeant({ ask }: Question, { name, category, kind }: Payment): boolean {
  if (ask.kind !== null && kind !== ask.kind) return false
  if (ask.category !== null && category !== ask.category) return false
  return ask.name === null || isCalled(name, ask.name)
}

const calledOf = ({ params }: Payment['name']): string => params['name'] ?? ''

const isCalled = (name: Payment['name'], wanted: string): boolean =>
  name.code === 'name' &&
  ` ${normalised(calledOf(name))} `.includes(isWhole(wanted) ? normalised(wanted) : ` ${normalised(wanted)} `)

/** A name in a script that parts no words, or one that stands for all that have it in them. */
const isWhole = (wanted: string): boolean => /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\s/u.test(wanted)

/** The payments that are asked about, the newest first, and where they are; null where there are too many to be sure of all. */
async function meantPayments(question: Question, from: string, to: string | undefined) {
  const { figures, ask } = question
  const category: Category | undefined = ask.category ?? (ask.kind === null ? undefined : 'food')
  const payments = await figures.payments({ category, from, to, ...(ask.name !== null && { q: ask.name }) })
  const link = {
    ...(category && { category }),
    ...(ask.name !== null && { q: ask.name }),
    from,
    ...(to !== undefined && { to }),
  } satisfies Omit<AdvisedLink, 'screen'>
  return { payments: payments.length < PAYMENTS_MOST ? payments.filter((one) => isMeant(question, one)) : null, link }
}

const sumOf = (payments: readonly Payment[]): number => payments.reduce((sum, { amountMinor }) => sum - amountMinor, 0)

/** What was paid to whom the question names, in its time or lately; where that is nothing, in the last year. */
export async function paidToReply(question: Question, months = NAMED_MONTHS): Promise<Statement[]> {
  const { figures, ask } = question
  const since = firstDayOfMonth(figures.now, -months)
  const time = ask.period === null ? { from: since, to: undefined } : timeOf(question)
  const { payments, link } = await meantPayments(question, time.from, time.to)
  if (payments === null) return tooMany(question, link)
  const paid = payments.filter(({ amountMinor }) => amountMinor < 0)
  if (paid.length === 0 && ask.period === null && months < CHARGED_MONTHS) return paidToReply(question, CHARGED_MONTHS)
  if (paid.length === 0) return nothing(question, { q: ask.name ?? '', ...(ask.period !== null && time) })
  // Who is called alike is told apart.
  const groups = [...Map.groupBy(paid, ({ name }) => normalised(calledOf(name))).values()].slice(0, LISTED_MOST)
  return groups.flatMap((group): Statement[] => {
    const name = group[0]?.name
    const [amountMinor, count] = [sumOf(group), group.length]
    if (!name) return []
    const called = calledOf(name)
    const own = { screen: 'transactions', ...link, q: called } as const
    const card = {
      kind: 'paid' as const,
      name: called,
      isPerson: group.some(({ shown }) => shown.paymentMethod?.code === 'alder_transfer'),
      amountMinor,
      count,
      from: time.from,
      to: time.to ?? null,
    }
    if (ask.period === null) return [{ code: 'spent_at', name, amountMinor, count, since, link: own, card }]
    const heading = headingOf({ figures, ask: { ...ask, name: called } })
    return [...heading, { code: 'in_all', amountMinor, count, link: own, card }]
  })
}

/** What was spent at shops of a kind, or in days that are no month: payment by payment. */
export async function addedUpReply(question: Question): Promise<Statement[]> {
  const { period, from, to } = timeOf(question)
  const { payments, link } = await meantPayments(question, from, to)
  if (payments === null) return tooMany(question, link)
  const spent = payments.filter(({ category }) => isSpendingCategory(category))
  const asked = { ...question, ask: { ...question.ask, period } }
  if (spent.length === 0) return nothing(asked, { from, to })
  return [
    ...headingOf(asked),
    {
      code: 'in_all',
      amountMinor: sumOf(spent),
      count: spent.length,
      link: { screen: 'transactions', ...link },
      ...paymentsCard(spent.slice(0, LISTED_MOST)),
    },
  ]
}

export async function largestReply(question: Question): Promise<Statement[]> {
  const { from, to } = timeOf(question)
  const { payments, link } = await meantPayments(question, from, to)
  if (payments === null) return tooMany(question, link)
  const spent = payments.filter(({ amountMinor, category }) => amountMinor < 0 && isSpendingCategory(category))
  const [largest] = spent.toSorted((one, other) => one.amountMinor - other.amountMinor)
  if (!largest) return nothing(question, { from, to })
  const { name, amountMinor, on } = largest
  return [
    ...headingOf(question),
    { code: 'largest', name, amountMinor: -amountMinor, on, link: linkTo(largest), ...paymentsCard([largest]) },
  ]
}

export async function recentReply(question: Question): Promise<Statement[]> {
  const { figures, ask } = question
  const time = ask.period === null ? {} : timeOf(question)
  const query = { category: ask.category ?? undefined, ...(ask.name !== null && { q: ask.name }) }
  const { from, to } = { from: undefined, to: undefined, ...time }
  const payments = (await figures.payments({ ...query, from, to })).filter((one) => isMeant(question, one))
  if (payments.length === 0) return nothing(question, { ...(ask.period !== null && { from, to }) })
  return [...headingOf(question), listed(payments)]
}

/** The latest of several, or the only one in words, too. */
function listed(payments: readonly Payment[]): Statement {
  const latest = payments.slice(0, CARD_ROWS_MOST)
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

/** The latest payments of an amount, or to whom it names, and what to do about one that is wrong. */
export async function chargeReply(question: Question): Promise<Statement[]> {
  const { figures, ask } = question
  const time = ask.period === null ? null : timeOf(question)
  const from = time?.from ?? firstDayOfMonth(figures.now, -CHARGED_MONTHS)
  const payments = await figures.payments({ from, to: time?.to, ...(ask.name !== null && { q: ask.name }) })
  const charged = payments.filter(
    (one) =>
      one.amountMinor < 0 &&
      (ask.amountMinor === null || one.amountMinor === -ask.amountMinor) &&
      isMeant(question, one),
  )
  if (charged.length === 0) return nothing(question, {})
  const article = {
    code: 'article',
    article: 'report_payment',
    link: { screen: 'helpArticle', id: 'report_payment' },
  } as const
  return [...headingOf(question), listed(charged.slice(0, LISTED_MOST)), article]
}
