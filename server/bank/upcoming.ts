import { type Expression, type Kysely, type RawBuilder, type ShallowDehydrateObject, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { UpcomingPayment } from '#contract/upcoming.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'

export type UpcomingDeps = Pick<Deps, 'db' | 'clock' | 'slices'>
/** Whose payments are asked for: all that are due up to the day `until`, and those that are late. */
type About = { customerId: string; until: string }

/**
 * What a slice knows of a customer's payments in advance. All slices' rows are read in one statement, so they come as
 * JSON has them: instants are texts.
 */
export type UpcomingPart = {
  rows(db: Kysely<Database>, about: About): RawBuilder<unknown[]>
  payments(deps: UpcomingDeps, about: About, rows: unknown): Promise<UpcomingPayment[]>
}

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    upcoming?: UpcomingPart
  }
}

/** Defines a slice's part: `rows` selects through an index, and `payments` turns the rows into payments. */
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
    payments: async (deps, about, rows) => await part.payments(deps, about, rows as ShallowDehydrateObject<Row>[]),
  }
}

/**
 * The parts of all slices together. `selected` goes into a statement and answers a list of rows for each slice; `payments` turns
 * these lists into payments, the nearest first.
 */
export function upcomingOf(deps: UpcomingDeps, about: About) {
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
