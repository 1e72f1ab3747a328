import { type Expression, type Kysely, type RawBuilder, type ShallowDehydrateObject, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { addDays } from '#server/calendar/days.ts'
import { lastDayOfMonth } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import type { Asset } from '#contract/money.ts'
import type { Upcoming, UpcomingPayment } from '#contract/upcoming.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'

/** How far ahead the dashboard looks, in days: at least to the end of any month. */
const DAYS_AHEAD = 30
/** How many payments it shows. */
const SHOWN = 3

export type UpcomingDeps = Pick<Deps, 'db' | 'clock' | 'slices'>
/** Whose payments are asked for: all that are due up to the day `until`, and those that are late. */
type About = { customerId: string; until: string }

/**
 * What a slice knows of a customer's payments in advance. All slices' rows are read in one statement, so they come as
 * JSON has them: instants are texts.
 */
export type UpcomingPart = {
  rows(db: Kysely<Database>, about: About): RawBuilder<unknown[]>
  payments(deps: UpcomingDeps, about: About, rows: unknown): Promise<UpcomingPayment[]> | UpcomingPayment[]
}

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    upcoming?: UpcomingPart
  }
}

/** Defines a part by a query through an index, and by what is made of its rows. */
export function defineUpcoming<Row>(part: {
  rows(db: Kysely<Database>, about: About): Expression<Row>
  payments(
    deps: UpcomingDeps,
    about: About,
    rows: ShallowDehydrateObject<Row>[],
  ): Promise<UpcomingPayment[]> | UpcomingPayment[]
}): UpcomingPart {
  return {
    rows: (db, about) => jsonArrayFrom(part.rows(db, about)),
    payments: (deps, about, rows) => part.payments(deps, about, rows as ShallowDehydrateObject<Row>[]),
  }
}

/** What all slices know of, in two steps: what to select, as one list of lists, and what is made of that, the nearest first. */
export function upcomingOf(deps: UpcomingDeps, customerId: string) {
  const about = { customerId, until: addDays(dayOf(deps.clock.businessNow()), DAYS_AHEAD) }
  const parts = deps.slices.flatMap(({ upcoming }) => upcoming ?? [])
  return {
    selected: jsonList(parts.map((part) => part.rows(deps.db, about))),
    async payments(selected: unknown[]): Promise<UpcomingPayment[]> {
      const found = await Promise.all(parts.map((part, index) => part.payments(deps, about, selected[index])))
      return found.flat().toSorted((a, b) => (a.dueOn < b.dueOn ? -1 : a.dueOn > b.dueOn ? 1 : 0))
    },
  }
}

const jsonList = (values: readonly Expression<unknown>[]): RawBuilder<unknown[]> =>
  sql<unknown[]>`json_build_array(${sql.join(values)})`

/** What all slices know of, the nearest first. */
export async function upcomingPayments(deps: UpcomingDeps, customerId: string): Promise<UpcomingPayment[]> {
  const upcoming = upcomingOf(deps, customerId)
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
