import { type Expression, type Kysely, type RawBuilder, type ShallowDehydrateObject, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { type Unanswered, UNANSWERED_ORDER } from '#contract/unanswered.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'

type UnansweredDeps = Pick<Deps, 'db' | 'clock' | 'policy' | 'slices'>

/** The maximum number of items that one slice selects for a customer. */
export const MAX_UNANSWERED = 20

type Available = { id: number; availableMinor: number }

/** The customer's accounts and the policy at the time of reading. */
export type UnansweredContext = { accounts: readonly Available[]; policy: Deps['policy'] }

/**
 * A slice's items that wait for an answer of a customer. One statement reads the rows of all slices as JSON, so all values have
 * JSON's types.
 */
export type UnansweredPart = {
  rows(deps: UnansweredDeps, customerId: string): RawBuilder<unknown[]>
  of(rows: unknown, context: UnansweredContext): Unanswered[]
}

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    unanswered?: UnansweredPart
  }
}

/**
 * Defines a slice's items that wait for an answer. `rows` selects the rows through an index, the latest first. `of` converts a
 * row to an item, or returns null if the item no longer waits.
 */
export function defineUnanswered<Row>(part: {
  rows(db: Kysely<Database>, deps: UnansweredDeps, customerId: string): Expression<Row>
  of(row: ShallowDehydrateObject<Row>, context: UnansweredContext): Unanswered | null
}): UnansweredPart {
  return {
    rows: (deps, customerId) => jsonArrayFrom(part.rows(deps.db, deps, customerId)),
    of: (rows, context) => (rows as ShallowDehydrateObject<Row>[]).flatMap((row) => part.of(row, context) ?? []),
  }
}

/**
 * Combines the items of all slices. `selected` is an expression for a statement. `of` converts the result of `selected` to
 * items, in the order of UNANSWERED_ORDER.
 */
export function unansweredOf(deps: UnansweredDeps, customerId: string) {
  const parts = deps.slices.flatMap(({ unanswered }) => unanswered ?? [])
  const place = ({ kind }: Unanswered) => UNANSWERED_ORDER.indexOf(kind)
  return {
    selected: sql<unknown[]>`json_build_array(${sql.join(parts.map((part) => part.rows(deps, customerId)))})`,
    of: (selected: unknown[], accounts: readonly Available[]): Unanswered[] =>
      parts
        .flatMap((part, index) => part.of(selected[index], { accounts, policy: deps.policy }))
        .toSorted((a, b) => place(a) - place(b)),
  }
}
