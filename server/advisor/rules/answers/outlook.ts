import type { Statement } from '#contract/advisor.ts'
import { lineNamed, type LineName } from '#contract/wording.ts'
import type { UpcomingPayment } from '#contract/upcoming.ts'
import { dueCard, forecastCard } from '#server/advisor/rules/answers/cards.ts'
import { type Question, timeOf } from '#server/advisor/rules/answers/question.ts'
import { lastDayOfMonth } from '#server/calendar/months.ts'

/** What is left at the end of the month, and on its card what is still to come and go. */
export async function forecastReply({ figures }: Pick<Question, 'figures'>): Promise<Statement[]> {
  const { balanceMinor, on } = await figures.forecast()
  return [{ code: 'forecast', balanceMinor, on, link: { screen: 'analytics' }, ...(await forecastCard(figures)) }]
}

/** Whether an amount can be spent so that the month still ends above nothing: this month, or one that is still to come. */
export async function mayAfford({ figures, ask }: Question): Promise<Statement[]> {
  const { amountMinor } = ask
  if (amountMinor === null) return forecastReply({ figures })
  const { balanceMinor, on } = await figures.forecast()
  // Money that comes only later cannot be spent today.
  const atHandMinor = Math.min(balanceMinor, await figures.balanceMinor())
  const link = { screen: 'analytics' } as const
  const verdict = (leftMinor: number, until: string): Statement =>
    leftMinor >= 0
      ? { code: 'afford_yes', amountMinor, leftMinor, on: until, link }
      : { code: 'afford_no', amountMinor, shortMinor: -leftMinor, on: until, link }
  const { to } = timeOf({ figures, ask })
  const end = lastDayOfMonth(to)
  const months = monthsBetween(on, end)
  if (months <= 0) return [{ ...verdict(atHandMinor - amountMinor, on), ...(await forecastCard(figures, amountMinor)) }]
  const { incomeMinor, expensesMinor } = await figures.advice()
  const monthlyMinor = incomeMinor - expensesMinor
  const counted: Statement = { code: 'counted_on', monthlyMinor }
  return [counted, verdict(balanceMinor + months * monthlyMinor - amountMinor, end)]
}

const monthsBetween = (one: string, other: string): number =>
  12 * (Number(other.slice(0, 4)) - Number(one.slice(0, 4))) + Number(other.slice(5, 7)) - Number(one.slice(5, 7))

/** When what comes in again and again comes next. */
export async function paydayReply({ figures }: Pick<Question, 'figures'>): Promise<Statement[]> {
  const salaries = await figures.salaries()
  const link = { screen: 'transactions', category: 'income' } as const
  if (salaries.length === 0) return [{ code: 'payday_none', link }]
  const due = salaries.map(({ name, amountMinor, nextOn }) => ({ name: lineNamed(name), amountMinor, on: nextOn }))
  return due.slice(0, 1).map((first) => ({ code: 'due', ...first, link, ...dueCard(true, due) }))
}

export async function recurringReply({ figures }: Pick<Question, 'figures'>): Promise<Statement[]> {
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

export async function dueReply({ figures }: Pick<Question, 'figures'>): Promise<Statement[]> {
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

/** Whom it is paid to; of what the bank itself collects, what it is for. */
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
