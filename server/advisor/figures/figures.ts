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
import type { LineName } from '#contract/line-texts.ts'
import { transactionOfLine } from '#server/accounts/transaction.ts'
import { upcomingPayments } from '#server/accounts/upcoming.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { readSavingAdvice, type SavingAdvice } from '#server/insights/saving-advice.ts'
import { forecastMonth } from '#server/insights/forecast.ts'
import { type Dining, diningOut } from '#server/insights/months/dining.ts'
import { monthSpending, type MonthSpending, spendingBySameDay } from '#server/insights/months/months.ts'
import {
  searchStart,
  findUpcomingRecurring,
  recurringAmong,
  type RecurringPayment,
} from '#server/insights/recurring/recurring.ts'
import { readPaymentsSince, summedAccounts } from '#server/insights/history/history.ts'
import type { KnownNames } from '#server/advisor/questions/names.ts'
import { accountsOf, isSpendingAccount } from '#server/ledger/accounts.ts'
import { flowOf } from '#server/ledger/flows.ts'
import { type Line, listLines } from '#server/ledger/statement.ts'
import { readCreditStanding } from '#server/loans/credit/pre-approval.ts'
import { runOn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { readRewards } from '#server/rewards/service.ts'
import { listGoals } from '#server/savings/list.ts'

/** The customer whom the advisor answers. The advisor reads no other customer's data. */
export type Advised = Pick<Customer, 'id' | 'currentAccountId' | 'language'>

export type FigureDeps = Pick<Deps, 'pool' | 'db' | 'clock' | 'policy' | 'slices'>

/**
 * The bank's fees. The rates for coin trades, their spread, fund orders and late installments (`Bps`) are in hundredths of a
 * percent; `premiumMinor` is in US cents.
 */
export type Fees = { coinBps: number; spreadBps: number; fundBps: number; lateBps: number; premiumMinor: number }

/** A payment of the current account. Amounts are signed US cents. */
export type AdvisorPayment = {
  id: string
  name: LineName
  amountMinor: number
  category: Category
  /** The kind of shop. Set only if it is narrower than the category. */
  kind: string | undefined
  on: string
  /** The transaction in the form that the screens list. */
  transaction: Transaction
}

/** A calendar month. Amounts are US cents after refunds. */
export type Month = {
  /** In the form YYYY-MM. */
  month: string
  /** The first and last day, YYYY-MM-DD. */
  from: string
  to: string
  incomeMinor: number
  /** All outgoing money, and the part of it that was spending. */
  expensesMinor: number
  spentMinor: number
  byCategory: ReadonlyMap<Category, number>
  /** The share of each category in the spending, in whole percent. */
  shares: ReadonlyMap<Category, number>
}

/** The figures that a month is compared with, in US cents. */
export type Spent = Pick<Month, 'spentMinor' | 'byCategory'>

export type PaymentQuery = {
  category?: Category | undefined
  from?: string | undefined
  to?: string | undefined
  q?: string | undefined
}

/** One customer's figures. Each is read at most once per question. */
export type AdvisorFigures = {
  now: Date
  balanceMinor(): Promise<number>
  month(back: number): Promise<Month>
  /** Returns the figures that a month is compared with: the previous month, or its same days while the month is in progress. */
  comparedWith(back: number): Promise<Spent>
  advice(): Promise<SavingAdvice>
  dining(): Promise<Dining>
  goals(): Promise<readonly Goal[]>
  /** Returns the customer's payees and payers, latest first, and their savings goals. */
  known(): Promise<KnownNames>
  /** Returns payments, newest first: up to MAX_ADVISOR_PAYMENTS within the given days, or the latest without days. */
  payments(query: PaymentQuery): Promise<readonly AdvisorPayment[]>
  upcoming(): Promise<readonly UpcomingPayment[]>
  points(): Promise<number>
  creditScore(): Promise<number>
  recurring(): Promise<readonly Recurring[]>
  /** Returns recurring income, such as a salary. */
  salaries(): Promise<readonly Recurring[]>
  forecast(): Promise<AdvisorForecast>
  fees: Fees
}

/** A recurring payment. Amounts are positive US cents. */
export type Recurring = { name: string; amountMinor: number; monthlyMinor: number; nextOn: string }

/** The forecast balance of the current account at the end of the month, with the expected income and expenses, in US cents. */
export type AdvisorForecast = { balanceMinor: number; on: string; inMinor: number; outMinor: number }

export const MAX_ADVISOR_PAYMENTS = 5_000
const PAGE = 100

/** Returns a function that calls `read` once for each argument and caches the result. */
function remembered<Argument, Result>(read: (argument: Argument) => Promise<Result>) {
  const results = new Map<string, Promise<Result>>()
  return (argument: Argument): Promise<Result> => {
    const key = JSON.stringify(argument)
    const result = results.get(key) ?? read(argument)
    results.set(key, result)
    return result
  }
}

/** Returns a function that calls `read` at most once and caches the result. */
function lazily<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let cached: Promise<Result> | null = null
  return () => (cached ??= read())
}

export function openFigures(deps: FigureDeps, customer: Advised): AdvisorFigures {
  const run = runOn(deps.pool)
  const now = deps.clock.businessNow()
  const accounts = lazily(() => accountsOf(run, customer.id))
  const month = remembered(async (back: number): Promise<Month> => {
    const [from, to] = [startOfMonth(now, -back), startOfMonth(now, 1 - back)]
    const name = monthOf(from)
    const ids = (await accounts()).filter(isSpendingAccount).map(({ id }) => id)
    const [flow, spending] = await Promise.all([
      flowOf(run, ids, { from, to }),
      // The categories are those that the customer assigned, as on the analytics screen.
      monthSpending(deps, customer.id, name),
    ])
    const lastDay = dayBefore(dayOf(to))
    const shares = new Map(spending.categories.map(({ category, percent }) => [category, percent]))
    return { ...flow, ...spentOf(spending), shares, month: name, from: dayOf(from), to: lastDay }
  })
  const goals = lazily(async () => (await listGoals(deps, customer.id)).goals)
  const payeePayments = lazily(async () =>
    readPaymentsSince(deps.db, await summedAccounts(deps, customer.id), searchStart(now)),
  )
  return {
    now,
    known: lazily(async () => {
      const payees = (await payeePayments()).map(({ name }) => name).filter((name) => name !== '')
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
    advice: lazily(() => readSavingAdvice(deps, customer)),
    dining: lazily(() => diningOut(deps, customer.id)),
    goals,
    payments: remembered((query) => readPayments(deps, customer, query)),
    upcoming: lazily(() => upcomingPayments(deps, customer.id)),
    points: lazily(async () => (await readRewards(deps, customer.id)).points),
    creditScore: lazily(async () => (await readCreditStanding(deps, deps.db, customer)).score),
    recurring: lazily(async () => (await findUpcomingRecurring(deps, customer.id)).map(toRecurring)),
    salaries: lazily(async () =>
      recurringAmong(await payeePayments(), dayOf(now))
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

/** The number of payments per year for each interval. */
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
): Promise<AdvisorPayment[]> {
  const lines: Line[] = []
  let cursor: string | undefined
  do {
    const page = await listLines(runOn(pool), { accountId, filters: query, limit: PAGE, cursor })
    lines.push(...page.lines)
    cursor = page.nextCursor ?? undefined
    // A query with days reads all their payments. A query without days reads only the latest.
  } while (cursor !== undefined && query.from !== undefined && lines.length < MAX_ADVISOR_PAYMENTS)
  return lines
    .filter(({ status }) => status !== 'returned')
    .map((line) => {
      const transaction = transactionOfLine(line)
      const { id, name, amountMinor, category, paymentMethod } = transaction
      const kind = paymentMethod?.params[MERCHANT_KIND]
      return { id, name, amountMinor, category, kind, on: dayOf(line.bookedAt), transaction }
    })
}

/**
 * A category's spending this month and on the same days of last month, with the change in whole percent. The change is null if
 * there was no spending on those days.
 */
export type Change = { category: Category; nowMinor: number; beforeMinor: number; percent: number | null }

export async function categoryChanges(figures: AdvisorFigures): Promise<Change[]> {
  const [now, before] = await Promise.all([figures.month(0), figures.comparedWith(0)])
  return SPENDING.map((category) => {
    const nowMinor = now.byCategory.get(category) ?? 0
    const beforeMinor = before.byCategory.get(category) ?? 0
    return { category, nowMinor, beforeMinor, percent: percentChange(nowMinor, beforeMinor) }
  })
}

/** Returns the signed change in whole percent, or null without an earlier amount. */
export const percentChange = (nowMinor: number, beforeMinor: number): number | null =>
  beforeMinor > 0 ? percentOf(nowMinor - beforeMinor, beforeMinor) : null

/** Returns the signed change to one decimal, as the analytics screen shows it. */
export const preciseChange = (nowMinor: number, beforeMinor: number): number | null =>
  beforeMinor > 0 ? Math.round(((nowMinor - beforeMinor) / beforeMinor) * 1_000) / 10 : null

/**
 * Returns the number of months until a goal is reached by the given monthly amount in US cents, without interest. Returns null
 * if the goal is out of reach.
 */
export function monthsToReach(
  { savedMinor, targetMinor }: Pick<Goal, 'savedMinor' | 'targetMinor'>,
  monthlyMinor: number,
): number | null {
  if (monthlyMinor <= 0) return null
  const months = Math.max(0, Math.ceil((targetMinor - savedMinor) / monthlyMinor))
  return months <= MAX_MONTHS ? months : null
}

/** A hundred years, in months. */
const MAX_MONTHS = 1_200

/** Returns the month that follows the month of `now` by the given number of months, YYYY-MM. */
export const monthAfter = (now: Date, months: number): string => monthOf(firstDayOfMonth(now, months))
