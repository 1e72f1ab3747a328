import { type UpcomingDeps, upcomingOf } from '#server/bank/upcoming.ts'
import { addDays } from '#server/calendar/days.ts'
import { lastDayOfMonth } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import type { Asset } from '#contract/money.ts'
import type { Upcoming, UpcomingPayment } from '#contract/upcoming.ts'

/** The number of days that the dashboard looks ahead. 30 days always include the rest of the current month. */
const DAYS_AHEAD = 30
/** The number of upcoming payments that the dashboard shows. */
const MAX_SHOWN = 3

/**
 * Prepares the query and the conversion of all slices' upcoming payments of a customer in the next DAYS_AHEAD days
 * (bank/upcoming.ts).
 */
export const prepareUpcoming = (deps: UpcomingDeps, customerId: string) =>
  upcomingOf(deps, { customerId, until: addDays(dayOf(deps.clock.businessNow()), DAYS_AHEAD) })

/** Returns a customer's upcoming payments in the next DAYS_AHEAD days, with a query of its own, the nearest first. */
export async function upcomingPayments(deps: UpcomingDeps, customerId: string): Promise<UpcomingPayment[]> {
  const upcoming = prepareUpcoming(deps, customerId)
  const { selected } = await deps.db.selectNoFrom(upcoming.selected.as('selected')).executeTakeFirstOrThrow()
  return upcoming.payments(selected)
}

/** Returns the dashboard's summary of upcoming payments; null if there are no upcoming payments. */
export function upcomingFor(
  payments: readonly UpcomingPayment[],
  account: { asset: Asset; availableMinor: number },
  now: Date,
): Upcoming | null {
  if (payments.length === 0) return null
  const { asset, availableMinor } = account
  const monthEnd = lastDayOfMonth(now)
  const duePayments = payments.filter((payment) => payment.asset === asset && payment.dueOn <= monthEnd)
  const dueThisMonthMinor = duePayments.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  return {
    next: payments.slice(0, MAX_SHOWN),
    dueThisMonthMinor,
    asset,
    leftMinor: availableMinor - dueThisMonthMinor,
  }
}
