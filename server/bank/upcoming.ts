import { type Expression, type Kysely, type RawBuilder, type ShallowDehydrateObject, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { UpcomingPayment } from '#contract/upcoming.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'

export type UpcomingDeps = Pick<Deps, 'db' | 'clock' | 'slices'>
/** The customer, and the last day to read. The result has all payments that are due by `until`, including overdue payments. */
type UpcomingQuery = { customerId: string; until: string }

/**
 * A slice's upcoming payments of a customer. One statement reads the rows of all slices as JSON, so all values have JSON's
 * types. For example, instants are texts.
 */
export type UpcomingPart = {
  rows(db: Kysely<Database>, about: UpcomingQuery): RawBuilder<unknown[]>
  payments(deps: UpcomingDeps, about: UpcomingQuery, rows: unknown): Promise<UpcomingPayment[]>
}

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    upcoming?: UpcomingPart
  }
}

/**
 * Defines a slice's upcoming payments. `rows` selects the rows through an index, and `payments` converts the rows to payments.
 */
export function defineUpcoming<Row>(part: {
  rows(db: Kysely<Database>, about: UpcomingQuery): Expression<Row>
  payments(
    deps: UpcomingDeps,
    about: UpcomingQuery,
    rows: ShallowDehydrateObject<Row>[],
  ): Promise<UpcomingPayment[]> | UpcomingPayment[]
}): UpcomingPart {
  return {
    rows: (db, about) => jsonArrayFrom(part.rows(db, about)),
    payments: async (deps, about, rows) => await part.payments(deps, about, rows as ShallowDehydrateObject<Row>[]),
  }
}

/**
 * Combines the upcoming payments of all slices. `selected` is an expression for a statement, and its result is a list of rows
 * for each slice. `payments` converts these lists to payments, the nearest first.
 */
export function upcomingOf(deps: UpcomingDeps, about: UpcomingQuery) {
  const parts = deps.slices.flatMap(({ upcoming }) => upcoming ?? [])
  return {
    selected: jsonList(parts.map((part) => part.rows(deps.db, about))),
    async payments(selected: unknown[]): Promise<UpcomingPayment[]> {
      const lists = await Promise.all(parts.map((part, index) => part.payments(deps, about, selected[index])))
      return lists.flat().toSorted((a, b) => (a.dueOn < b.dueOn ? -1 : a.dueOn > b.dueOn ? 1 : 0))
    },
  }
}

const jsonList = (values: readonly Expression<unknown>[]): RawBuilder<unknown[]> =>
  sql<unknown[]>`json_build_array(${sql.join(values)})`
