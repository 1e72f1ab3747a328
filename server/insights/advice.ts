import { dayOf } from '#server/calendar/zone.ts'
import { firstDayOfMonth, monthPeriod, monthsApart, type Period, startOfMonth } from '#server/calendar/months.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { spendingAccountsOf } from '#server/ledger/accounts.ts'
import { firstBookedAt } from '#server/ledger/entries.ts'
import { flowOf } from '#server/ledger/flows.ts'
import type { Deps } from '#server/platform/deps.ts'
import { runOn } from '#server/platform/db/run.ts'

/** How many whole months are averaged at most: a year has in it what comes once a year. */
const MONTHS_MOST = 12
/** A tenth of what a month leaves, rounded down to whole 50 dollars: small enough to be kept up. */
const SET_ASIDE_SHARE = 10
const SET_ASIDE_STEP_MINOR = 50_00

/** Amounts are US cents, those of a month on average. */
export type Advice = {
  /** What to put aside each month; never below zero. */
  setAsideMinor: number
  incomeMinor: number
  expensesMinor: number
}

/** What a customer can set aside each month, by their last whole months; by the running one where it is their first. */
export async function adviceFor(
  deps: Pick<Deps, 'pool' | 'clock'>,
  customer: Pick<Customer, 'id' | 'currentAccountId'>,
): Promise<Advice> {
  const run = runOn(deps.pool)
  const now = deps.clock.businessNow()
  const [accounts, openedAt] = await Promise.all([
    spendingAccountsOf(run, customer.id),
    firstBookedAt(run, customer.currentAccountId),
  ])
  const { months, ...period } = averaged(openedAt ?? now, now)
  const flow = await flowOf(run, accounts, period)
  const left = Math.max(0, flow.incomeMinor - flow.expensesMinor) / months
  return {
    setAsideMinor: Math.floor(left / SET_ASIDE_SHARE / SET_ASIDE_STEP_MINOR) * SET_ASIDE_STEP_MINOR,
    incomeMinor: Math.round(flow.incomeMinor / months),
    expensesMinor: Math.round(flow.expensesMinor / months),
  }
}

/** The whole months since the account was opened, up to MONTHS_MOST; the running one where there is none. */
function averaged(openedAt: Date, now: Date): Period & { months: number } {
  const firstWhole = firstDayOfMonth(openedAt, dayOf(openedAt) === firstDayOfMonth(openedAt) ? 0 : 1)
  const months = Math.min(MONTHS_MOST, monthsApart(firstWhole, now))
  if (months <= 0) return { ...monthPeriod(now), months: 1 }
  return { from: startOfMonth(now, -months), to: startOfMonth(now, 0), months }
}
