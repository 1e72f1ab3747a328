import { dayBefore } from '#server/calendar/days.ts'
import { firstDayOfMonth, monthOf, startOfMonth } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import type { Category } from '#contract/categories.ts'
import { MERCHANT_KIND, SPENDING } from '#contract/categories.ts'
import { LOAN_TERMS } from '#contract/loan-terms.ts'
import { percentOf } from '#contract/money.ts'
import type { Goal } from '#contract/savings.ts'
import type { Transaction } from '#contract/accounts.ts'
import type { UpcomingPayment } from '#contract/upcoming.ts'
import type { LineName } from '#contract/wording.ts'
import { transactionOfLine } from '#server/accounts/transaction.ts'
import { upcomingPayments } from '#server/accounts/upcoming.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { adviceFor, type Advice } from '#server/insights/advice.ts'
import { forecastMonth } from '#server/insights/forecast/forecast.ts'
import { type Dining, diningOut } from '#server/insights/months/dining.ts'
import { monthSpending, type MonthSpending, spendingBySameDay } from '#server/insights/months/months.ts'
import {
  lookedSince,
  recurringAhead,
  recurringAmong,
  type RecurringPayment,
} from '#server/insights/recurring/recurring.ts'
import { paidSince, summedAccounts } from '#server/insights/history/history.ts'
import type { Known } from '#server/advisor/questions/names.ts'
import { accountsOf, isSpendingAccount } from '#server/ledger/accounts.ts'
import { flowOf } from '#server/ledger/flows.ts'
import { type Line, listLines } from '#server/ledger/statement.ts'
import { creditStanding } from '#server/loans/credit/standing.ts'
import { runOn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { readRewards } from '#server/rewards/service.ts'
import { listGoals } from '#server/savings/list.ts'

/** Whom the advisor speaks to, and of: of nobody else. */
export type Advised = Pick<Customer, 'id' | 'currentAccountId' | 'language'>

export type FigureDeps = Pick<Deps, 'pool' | 'db' | 'clock' | 'policy' | 'slices'>

/** What the bank charges: of coin trades, fund orders and late instalments in hundredths of a per cent. */
export type Fees = { coinBps: number; spreadBps: number; fundBps: number; lateBps: number; premiumMinor: number }

/** A payment of the current account. Amounts are US cents, signed. */
export type Payment = {
  id: string
  name: LineName
  amountMinor: number
  category: Category
  /** What the shop is, where that is narrower than the category. */
  kind: string | undefined
  on: string
  /** As the screens list it. */
  shown: Transaction
}

/** A calendar month. Amounts are US cents, refunds taken off. */
export type Month = {
  /** YYYY-MM. */
  month: string
  /** Its first and last day, YYYY-MM-DD. */
  from: string
  to: string
  incomeMinor: number
  /** All that went out, and what of it was spending. */
  expensesMinor: number
  spentMinor: number
  byCategory: ReadonlyMap<Category, number>
  /** What part of the spending each category is, in whole per cent. */
  shares: ReadonlyMap<Category, number>
}

/** What a month is compared with, US cents. */
export type Spent = Pick<Month, 'spentMinor' | 'byCategory'>

export type PaymentQuery = {
  category?: Category | undefined
  from?: string | undefined
  to?: string | undefined
  q?: string | undefined
}

/** What is known of one customer, each figure read once for a question however often it is needed. */
export type Figures = {
  now: Date
  balanceMinor(): Promise<number>
  month(back: number): Promise<Month>
  /** What such a month is compared with: the month before, or the same days of it where the month still runs. */
  comparedWith(back: number): Promise<Spent>
  advice(): Promise<Advice>
  dining(): Promise<Dining>
  goals(): Promise<readonly Goal[]>
  /** Whom they paid and who paid them, the latest first, and what they save for. */
  known(): Promise<Known>
  /** The newest first: up to PAYMENTS_MOST of a stretch of days, or the latest. */
  payments(query: PaymentQuery): Promise<readonly Payment[]>
  upcoming(): Promise<readonly UpcomingPayment[]>
  points(): Promise<number>
  creditScore(): Promise<number>
  recurring(): Promise<readonly Recurring[]>
  /** What comes in again and again: a salary, say. */
  salaries(): Promise<readonly Recurring[]>
  forecast(): Promise<Forecast>
  fees: Fees
}

/** A payment that comes back. Amounts are US cents, above zero. */
export type Recurring = { name: string; amountMinor: number; monthlyMinor: number; nextOn: string }

/** What the current account will hold at the end of the month, and what comes and goes until then, US cents. */
export type Forecast = { balanceMinor: number; on: string; inMinor: number; outMinor: number }

export const PAYMENTS_MOST = 5_000
const PAGE = 100

/** Calls `read` once for each of its arguments. */
function remembered<Argument, Result>(read: (argument: Argument) => Promise<Result>) {
  const known = new Map<string, Promise<Result>>()
  return (argument: Argument): Promise<Result> => {
    const key = JSON.stringify(argument)
    const found = known.get(key) ?? read(argument)
    known.set(key, found)
    return found
  }
}

/** Calls `read` at most once. */
function lazily<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let known: Promise<Result> | null = null
  return () => (known ??= read())
}

export function openFigures(deps: FigureDeps, customer: Advised): Figures {
  const run = runOn(deps.pool)
  const now = deps.clock.businessNow()
  const accounts = lazily(() => accountsOf(run, customer.id))
  const month = remembered(async (back: number): Promise<Month> => {
    const [from, to] = [startOfMonth(now, -back), startOfMonth(now, 1 - back)]
    const name = monthOf(from)
    const ids = (await accounts()).filter(isSpendingAccount).map(({ id }) => id)
    const [flow, spending] = await Promise.all([
      flowOf(run, ids, { from, to }),
      // In the categories that the customer gave, as the screen of the analytics has them.
      monthSpending(deps, customer.id, name),
    ])
    const lastDay = dayBefore(dayOf(to))
    const shares = new Map(spending.categories.map(({ category, percent }) => [category, percent]))
    return { ...flow, ...spentOf(spending), shares, month: name, from: dayOf(from), to: lastDay }
  })
  const goals = lazily(async () => (await listGoals(deps, customer.id)).goals)
  const paid = lazily(async () => paidSince(deps.db, await summedAccounts(deps, customer.id), lookedSince(now)))
  return {
    now,
    known: lazily(async () => {
      const payees = (await paid()).map(({ name }) => name).filter((name) => name !== '')
      return { payees: [...new Set(payees.toReversed())], goals: (await goals()).map(({ name }) => name) }
    }),
    balanceMinor: lazily(async () => {
      const current = (await accounts()).find(({ id }) => id === customer.currentAccountId)
      return current?.availableMinor ?? 0
    }),
    month,
    comparedWith: remembered(async (back) =>
      back === 0 ? spentOf(await spendingBySameDay(deps, customer.id)) : month(back + 1),
    ),
    advice: lazily(() => adviceFor(deps, customer)),
    dining: lazily(() => diningOut(deps, customer.id)),
    goals,
    payments: remembered((query) => readPayments(deps, customer, query)),
    upcoming: lazily(() => upcomingPayments(deps, customer.id)),
    points: lazily(async () => (await readRewards(deps, customer.id)).points),
    creditScore: lazily(async () => (await creditStanding(deps, deps.db, customer)).score),
    recurring: lazily(async () => (await recurringAhead(deps, customer.id)).map(toRecurring)),
    salaries: lazily(async () =>
      recurringAmong(await paid(), dayOf(now))
        .incoming.filter(({ category }) => category === 'income')
        .map(toRecurring),
    ),
    forecast: lazily(async () => {
      const { onDate, expectedBalanceMinor, incomeMinor, outgoingMinor } = await forecastMonth(deps, customer)
      return { balanceMinor: expectedBalanceMinor, on: onDate, inMinor: incomeMinor, outMinor: outgoingMinor }
    }),
    fees: feesOf(deps),
  }
}

const feesOf = ({ policy }: Pick<Deps, 'policy'>): Fees => ({
  coinBps: policy.crypto.feeBps,
  spreadBps: policy.crypto.spreadBps,
  fundBps: policy.investing.feeBps,
  lateBps: LOAN_TERMS.lateFeeBps,
  premiumMinor: policy.rewards.premiumMinor,
})

const spentOf = ({ spentMinor, categories }: MonthSpending): Spent => ({
  spentMinor,
  byCategory: new Map(categories.map(({ category, spentMinor: minor }) => [category, minor])),
})

/** How many times a year something is paid. */
const PER_YEAR: Record<RecurringPayment['interval'], number> = {
  weekly: 52,
  every_2_weeks: 26,
  twice_a_month: 24,
  every_4_weeks: 13,
  monthly: 12,
  every_2_months: 6,
  quarterly: 4,
  half_yearly: 2,
  yearly: 1,
}

const toRecurring = ({ payee, amountMinor, interval, nextOn }: RecurringPayment): Recurring => ({
  name: payee,
  amountMinor,
  monthlyMinor: Math.round((amountMinor * PER_YEAR[interval]) / 12),
  nextOn,
})

async function readPayments(
  { pool }: Pick<Deps, 'pool'>,
  { currentAccountId: accountId }: Advised,
  query: PaymentQuery,
): Promise<Payment[]> {
  const lines: Line[] = []
  let cursor: string | undefined
  do {
    const page = await listLines(runOn(pool), { accountId, filters: query, limit: PAGE, cursor })
    lines.push(...page.lines)
    cursor = page.nextCursor ?? undefined
    // Of a stretch of days each counts; of all there ever were, the latest do.
  } while (cursor !== undefined && query.from !== undefined && lines.length < PAYMENTS_MOST)
  return lines
    .filter(({ status }) => status !== 'returned')
    .map((line) => {
      const shown = transactionOfLine(line)
      const { id, name, amountMinor, category, paymentMethod } = shown
      const kind = paymentMethod?.params[MERCHANT_KIND]
      return { id, name, amountMinor, category, kind, on: dayOf(line.bookedAt), shown }
    })
}

/**
 * A category's spending this month and on the same days of last month, and by how much it changed in whole per cent; null
 * where nothing was spent on those.
 */
export type Change = { category: Category; nowMinor: number; beforeMinor: number; percent: number | null }

export async function changes(figures: Figures): Promise<Change[]> {
  const [now, before] = await Promise.all([figures.month(0), figures.comparedWith(0)])
  return SPENDING.map((category) => {
    const nowMinor = now.byCategory.get(category) ?? 0
    const beforeMinor = before.byCategory.get(category) ?? 0
    return { category, nowMinor, beforeMinor, percent: percentChange(nowMinor, beforeMinor) }
  })
}

/** Signed, in whole per cent; null where there is nothing to compare with. */
export const percentChange = (nowMinor: number, beforeMinor: number): number | null =>
  beforeMinor > 0 ? percentOf(nowMinor - beforeMinor, beforeMinor) : null

/** The same to one decimal, as the analytics say it of a month. */
export const preciseChange = (nowMinor: number, beforeMinor: number): number | null =>
  beforeMinor > 0 ? Math.round(((nowMinor - beforeMinor) / beforeMinor) * 1_000) / 10 : null

/** Months until a goal is reached by so much a month, US cents, with no interest counted; null where it takes for ever. */
export function monthsToReach(
  { savedMinor, targetMinor }: Pick<Goal, 'savedMinor' | 'targetMinor'>,
  monthlyMinor: number,
): number | null {
  if (monthlyMinor <= 0) return null
  const months = Math.max(0, Math.ceil((targetMinor - savedMinor) / monthlyMinor))
  return months <= MONTHS_MOST ? months : null
}

/** A hundred years. */
const MONTHS_MOST = 1_200

/** The month that lies so many after that of `now`, YYYY-MM. */
export const monthAfter = (now: Date, months: number): string => monthOf(firstDayOfMonth(now, months))
