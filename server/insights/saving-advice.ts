import { dayOf } from '#server/calendar/zone.ts'
import { firstDayOfMonth, monthPeriod, monthsApart, type Period, startOfMonth } from '#server/calendar/months.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { spendingAccountsOf } from '#server/ledger/accounts.ts'
import { firstBookedAt } from '#server/ledger/entries.ts'
import { flowOf } from '#server/ledger/flows.ts'
import type { Deps } from '#server/platform/deps.ts'
import { runOn } from '#server/platform/db/run.ts'

/** The largest number of whole months in the average. A year includes every yearly payment. */
const MAX_MONTHS = 12
/**
 * The suggested saving is a tenth of a month's surplus, rounded down to a multiple of $50. It is small enough to be sustained.
 */
const SET_ASIDE_SHARE = 10
const SET_ASIDE_STEP_MINOR = 50_00

/** A suggestion for saving. Amounts are US cents, averaged per month. */
export type SavingAdvice = {
  /** The monthly amount to set aside; never negative. */
  setAsideMinor: number
  incomeMinor: number
  expensesMinor: number
}

/** Suggests a customer's monthly saving from their last whole months, or from the current month if it is their first. */
export async function readSavingAdvice(
  deps: Pick<Deps, 'pool' | 'clock'>,
  customer: Pick<Customer, 'id' | 'currentAccountId'>,
): Promise<SavingAdvice> {
  const run = runOn(deps.pool)
  const now = deps.clock.businessNow()
  const [accounts, openedAt] = await Promise.all([
    spendingAccountsOf(run, customer.id),
    firstBookedAt(run, customer.currentAccountId),
  ])
  const { months, ...period } = averaged(openedAt ?? now, now)
  const flow = await flowOf(run, accounts, period)
  const monthlySurplusMinor = Math.max(0, flow.incomeMinor - flow.expensesMinor) / months
  return {
    setAsideMinor: Math.floor(monthlySurplusMinor / SET_ASIDE_SHARE / SET_ASIDE_STEP_MINOR) * SET_ASIDE_STEP_MINOR,
    incomeMinor: Math.round(flow.incomeMinor / months),
    expensesMinor: Math.round(flow.expensesMinor / months),
  }
}

/**
 * Returns the whole months since the account's first entry, at most the last MAX_MONTHS. Without any, returns the current
 * month.
 */
function averaged(openedAt: Date, now: Date): Period & { months: number } {
  const firstWhole = firstDayOfMonth(openedAt, dayOf(openedAt) === firstDayOfMonth(openedAt) ? 0 : 1)
  const months = Math.min(MAX_MONTHS, monthsApart(firstWhole, now))
  if (months <= 0) return { ...monthPeriod(now), months: 1 }
  return { from: startOfMonth(now, -months), to: startOfMonth(now, 0), months }
}
