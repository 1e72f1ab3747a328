import { type Expression, type Kysely, type RawBuilder, type ShallowDehydrateObject, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { type Unanswered, UNANSWERED_ORDER } from '#contract/unanswered.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'

type UnansweredDeps = Pick<Deps, 'db' | 'clock' | 'policy' | 'slices'>

/** A part selects at most this many of a customer's. */
export const UNANSWERED_MOST = 20

type Available = { id: number; availableMinor: number }

/** How the customer stands as the rows are read. */
export type Standing = { accounts: readonly Available[]; policy: Deps['policy'] }

/** What of a slice waits for a customer. All slices' rows are read in one statement, so they come as JSON has them. */
export type UnansweredPart = {
  rows(deps: UnansweredDeps, customerId: string): RawBuilder<unknown[]>
  of(rows: unknown, standing: Standing): Unanswered[]
}

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    unanswered?: UnansweredPart
  }
}

/** Defines a slice's part: `rows` selects through an index, the latest first; `of` says what a row is, null where it no longer waits. */
export function defineUnanswered<Row>(part: {
  rows(db: Kysely<Database>, deps: UnansweredDeps, customerId: string): Expression<Row>
  of(row: ShallowDehydrateObject<Row>, standing: Standing): Unanswered | null
}): UnansweredPart {
  return {
    rows: (deps, customerId) => jsonArrayFrom(part.rows(deps.db, deps, customerId)),
    of: (rows, standing) => (rows as ShallowDehydrateObject<Row>[]).flatMap((row) => part.of(row, standing) ?? []),
  }
}

/** The parts of all slices together: `selected` goes into a statement, and `of` reads what it answers. */
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
