import type { Transaction } from 'kysely'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { instantOf } from '#server/platform/time-zone.ts'
import type { Translator } from '#server/platform/translations.ts'

/** Who the story is told of. */
export type StoryCast = {
  customer: Customer
  /** What collects their points. */
  pointsAccountId: AccountId
  /** Customers they know, the same for every sample customer. */
  friends: readonly Customer[]
  /** What a date of the story is for this customer: theirs ends on the day they are made. */
  dated: (date: Date) => Date
  /** Says in the customer's language what they, and who wrote to them, would have written. */
  say: Translator
}

/**
 * A slice's part of the sample story: makes what the customer has of it, in the SQL transaction that makes them, and
 * answers what happened to their money, at the story's own dates. It posts nothing itself.
 */
export type StoryPart = (
  deps: Pick<Deps, 'clock' | 'config' | 'events' | 'policy' | 'prices'>,
  trx: Transaction<Database>,
  cast: StoryCast,
) => Promise<readonly Operation[]>

/** A moment of 2026 on the bank's clocks: the story runs from January to 28 August. `day` may be 0, the day before the month. */
export function storyTime(month: number, day: number, hour = 9, minute = 0): Date {
  const shown = new Date(Date.UTC(2026, month - 1, day, hour, minute))
  return instantOf(shown.toISOString().replace('Z', ''))
}

/** The number of its last month, August, which ends early. */
export const LAST_MONTH = 8

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    story?: StoryPart
  }
}
