import type { AdvisorStatement } from '#contract/advisor.ts'
import { lineNamed, type LineName } from '#contract/line-texts.ts'
import type { UpcomingPayment } from '#contract/upcoming.ts'
import { dueCard, forecastCard } from '#server/advisor/rules/answers/cards.ts'
import { type ReplyContext, askedPeriod } from '#server/advisor/rules/answers/question.ts'
import { lastDayOfMonth } from '#server/calendar/months.ts'

/** Replies with the balance at the end of the month. Its card shows the expected income and expenses. */
export async function forecastReply({ figures }: Pick<ReplyContext, 'figures'>): Promise<AdvisorStatement[]> {
  const { balanceMinor, on } = await figures.forecast()
  return [{ code: 'forecast', balanceMinor, on, link: { screen: 'analytics' }, ...(await forecastCard(figures)) }]
}

/**
 * Replies whether the account still ends the month at zero or more after spending the named amount, in this month or a later
 * one.
 */
export async function affordReply({ figures, ask }: ReplyContext): Promise<AdvisorStatement[]> {
  const { amountMinor } = ask
  if (amountMinor === null) return forecastReply({ figures })
  const { balanceMinor, on: forecastOn } = await figures.forecast()
  // Money that arrives later in the month cannot be spent today.
  const atHandMinor = Math.min(balanceMinor, await figures.balanceMinor())
  const link = { screen: 'analytics' } as const
  const verdict = (leftMinor: number, until: string): AdvisorStatement =>
    leftMinor >= 0
      ? { code: 'afford_yes', amountMinor, leftMinor, on: until, link }
      : { code: 'afford_no', amountMinor, shortMinor: -leftMinor, on: until, link }
  const { to: periodEnd } = askedPeriod({ figures, ask })
  const end = lastDayOfMonth(periodEnd)
  const months = monthsBetween(forecastOn, end)
  if (months <= 0)
    return [{ ...verdict(atHandMinor - amountMinor, forecastOn), ...(await forecastCard(figures, amountMinor)) }]
  const { incomeMinor, expensesMinor } = await figures.advice()
  const monthlyMinor = incomeMinor - expensesMinor
  const monthlyStatement: AdvisorStatement = { code: 'counted_on', monthlyMinor }
  return [monthlyStatement, verdict(balanceMinor + months * monthlyMinor - amountMinor, end)]
}

const monthsBetween = (one: string, other: string): number =>
  12 * (Number(other.slice(0, 4)) - Number(one.slice(0, 4))) + Number(other.slice(5, 7)) - Number(one.slice(5, 7))

/** Replies with the next dates of recurring income. */
export async function paydayReply({ figures }: Pick<ReplyContext, 'figures'>): Promise<AdvisorStatement[]> {
  const salaries = await figures.salaries()
  const link = { screen: 'transactions', category: 'income' } as const
  if (salaries.length === 0) return [{ code: 'payday_none', link }]
  const dueSalaries = salaries.map(({ name, amountMinor, nextOn }) => ({
    name: lineNamed(name),
    amountMinor,
    on: nextOn,
  }))
  return dueSalaries.slice(0, 1).map((first) => ({ code: 'due', ...first, link, ...dueCard(true, dueSalaries) }))
}

export async function recurringReply({ figures }: Pick<ReplyContext, 'figures'>): Promise<AdvisorStatement[]> {
  const recurring = await figures.recurring()
  const link = { screen: 'analytics' } as const
  if (recurring.length === 0) return [{ code: 'recurring_none', link }]
  const monthlyMinor = recurring.reduce((sum, payment) => sum + payment.monthlyMinor, 0)
  return [
    {
      code: 'recurring',
      count: recurring.length,
      monthlyMinor,
      link,
      ...dueCard(
        false,
        recurring.map(({ name, amountMinor, nextOn }) => ({ name: lineNamed(name), amountMinor, on: nextOn })),
      ),
    },
  ]
}

export async function dueReply({ figures }: Pick<ReplyContext, 'figures'>): Promise<AdvisorStatement[]> {
  const upcoming = (await figures.upcoming()).filter(({ asset }) => asset === 'USD')
  if (upcoming.length === 0) return [{ code: 'due_none', link: { screen: 'dashboard' } }]
  return [
    {
      code: 'upcoming',
      count: upcoming.length,
      amountMinor: upcoming.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
      link: { screen: 'dashboard' },
      ...dueCard(
        false,
        upcoming.map((payment) => ({ name: nameOf(payment), amountMinor: payment.amountMinor, on: payment.dueOn })),
      ),
    },
  ]
}

/** Returns the payee's name, or the purpose for payments that the bank itself collects. */
function nameOf({ kind, name }: UpcomingPayment): LineName {
  if (kind === 'loan') return { code: 'loan.principal', params: {} }
  if (kind === 'recurring_buy') return { code: 'crypto.bought', params: {} }
  const fund = Object.hasOwn(FUNDS, name) ? FUNDS[name] : undefined
  return kind === 'investment' && fund ? { code: fund, params: {} } : lineNamed(name)
}

const FUNDS: Readonly<Record<string, LineName['code']>> = {
  FUND_CONSERVATIVE: 'fund.conservative',
  FUND_BALANCED: 'fund.balanced',
  FUND_AGGRESSIVE: 'fund.aggressive',
}
