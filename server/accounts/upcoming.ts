import { type UpcomingDeps, upcomingOf } from '#server/bank/upcoming.ts'
import { addDays } from '#server/calendar/days.ts'
import { lastDayOfMonth } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import type { Asset } from '#contract/money.ts'
import type { Upcoming, UpcomingPayment } from '#contract/upcoming.ts'

/** How far ahead the dashboard looks, in days: at least to the end of any month. */
const DAYS_AHEAD = 30
/** How many payments it shows. */
const SHOWN = 3

/** What all slices know of a customer's payments in the next days, in two steps (bank/upcoming.ts). */
export const upcomingSoon = (deps: UpcomingDeps, customerId: string) =>
  upcomingOf(deps, { customerId, until: addDays(dayOf(deps.clock.businessNow()), DAYS_AHEAD) })

/** The same at once, the nearest first. */
export async function upcomingPayments(deps: UpcomingDeps, customerId: string): Promise<UpcomingPayment[]> {
  const upcoming = upcomingSoon(deps, customerId)
  const { selected } = await deps.db.selectNoFrom(upcoming.selected.as('selected')).executeTakeFirstOrThrow()
  return upcoming.payments(selected)
}

/** What the dashboard says of them; null where there are none. */
export function upcomingFor(
  payments: readonly UpcomingPayment[],
  account: { asset: Asset; availableMinor: number },
  now: Date,
): Upcoming | null {
  if (payments.length === 0) return null
  const { asset, availableMinor } = account
  const monthEnd = lastDayOfMonth(now)
  const due = payments.filter((payment) => payment.asset === asset && payment.dueOn <= monthEnd)
  const dueThisMonthMinor = due.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
  return { next: payments.slice(0, SHOWN), dueThisMonthMinor, asset, leftMinor: availableMinor - dueThisMonthMinor }
}
