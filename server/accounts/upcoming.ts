import { addDays } from '#server/calendar/days.ts'
import { lastDayOfMonth } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import type { Asset } from '#contract/money.ts'
import type { Upcoming, UpcomingPayment } from '#contract/upcoming.ts'
import type { Deps } from '#server/platform/deps.ts'

/** How far ahead the dashboard looks, in days: at least to the end of any month. */
const DAYS_AHEAD = 30
/** How many payments it shows. */
const SHOWN = 3

/**
 * What a slice knows of a customer's payments in advance: all that are due up to the day `until`, and those that are
 * late. Each read of the dashboard asks for it, so it is one query through an index.
 */
export type UpcomingPart = (
  deps: Pick<Deps, 'pool' | 'db' | 'clock' | 'slices'>,
  customerId: string,
  until: string,
) => Promise<UpcomingPayment[]>

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    upcoming?: UpcomingPart
  }
}

/** What all slices know of, the nearest first. */
export async function upcomingPayments(
  deps: Pick<Deps, 'pool' | 'db' | 'clock' | 'slices'>,
  customerId: string,
): Promise<UpcomingPayment[]> {
  const until = addDays(dayOf(deps.clock.businessNow()), DAYS_AHEAD)
  const parts = deps.slices.flatMap(({ upcoming }) => (upcoming ? [upcoming(deps, customerId, until)] : []))
  const payments = (await Promise.all(parts)).flat()
  return payments.toSorted((a, b) => (a.dueOn < b.dueOn ? -1 : a.dueOn > b.dueOn ? 1 : 0))
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
