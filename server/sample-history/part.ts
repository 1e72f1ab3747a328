import type { Transaction } from 'kysely'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { instantOf } from '#server/platform/time-zone.ts'
import type { Translator } from '#server/platform/translations.ts'

/** The people of a sample history: one sample customer and the people around them. */
export type SampleHistoryContext = {
  customer: Customer
  /** The account that collects the customer's points. */
  pointsAccountId: AccountId
  /** The customer's friends, who are customers and the same for every sample customer. */
  friends: readonly Customer[]
  /** Shifts a date of the sample history for this customer: their sample history ends on the day they are created. */
  dated: (date: Date) => Date
  /** Translates texts that the customer and their friends would have written into the customer's language. */
  translator: Translator
}

/**
 * A slice's part of the sample history. It creates the customer's records in the SQL transaction that creates the customer. It
 * returns the operations at the sample history's own dates and does not post them.
 */
export type SampleHistoryPart = (
  deps: Pick<Deps, 'clock' | 'config' | 'events' | 'policy' | 'prices'>,
  trx: Transaction<Database>,
  cast: SampleHistoryContext,
) => Promise<readonly Operation[]>

/**
 * Returns a time in 2026 in the bank's time zone. The sample history runs from January to 28 August. Day 0 is the day before
 * the month.
 */
export function sampleTime(month: number, day: number, hour = 9, minute = 0): Date {
  const local = new Date(Date.UTC(2026, month - 1, day, hour, minute))
  return instantOf(local.toISOString().replace('Z', ''))
}

/** The number of the sample history's last month, August, which ends on the 28th. */
export const LAST_MONTH = 8

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    sampleHistory?: SampleHistoryPart
  }
}
