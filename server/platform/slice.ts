import type { Transaction } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { BankEventType } from '#server/platform/events/bank-event.ts'
import type { RunnableJob } from '#server/platform/jobs/job.ts'

/** The customer who requests a download of their data, and the session of the request. */
export type ExportRequest = { customerId: string; session: string }

/**
 * Fields of a customer's download. A value is written as it is. A function is called for its value when its turn comes. An
 * async iterable is written as a list, item by item. The values of both may again contain functions and async iterables.
 */
export type ExportedFields = { [name: string]: unknown }

/** A kind of money that waits: for a recipient, a rail or a date. */
export type WaitingMoney = {
  /** The name of the kind, such as 'payments waiting to be claimed'. */
  name: string
  /** Returns the business time at which the oldest waiting money should have moved on by itself; null if none is overdue. */
  overdueSince(deps: Deps): Promise<Date | null>
}

/** Outgoing messages to servers outside the bank. Each message is a job; the outbox is empty once all are done. */
export type Outbox = { name: string; jobs: readonly Pick<RunnableJob, 'name'>[] }

/** Further parts of a slice. Each field is declared beside the code that reads it; the platform itself does not use them. */
export interface SliceParts {}

/** The parts that a section of the bank registers. One line in server/api.ts mounts it. */
export type Slice<Routes = unknown, Options = never> = SliceParts & {
  /** The name of the slice's folder. */
  name: string
  /** The slice's part of the API, mounted under /api/v1. */
  routes?: (deps: Deps, options: Options) => Routes
  jobs?: readonly RunnableJob[]
  /** Writes the waiting data of the slice when the bank closes. */
  flush?: (deps: Deps) => Promise<void>
  waitingMoney?: readonly WaitingMoney[]
  outboxes?: readonly Outbox[]
  /** The events that the slice sends to open screens and to other servers. */
  liveEvents?: readonly BankEventType[]
  /** Returns the slice's part of a customer's data, by field. The data is read while the download is written. */
  exportOf?: (deps: Deps, request: ExportRequest) => ExportedFields
  /** Deletes the slice's data of a customer who closes, in the SQL transaction of the closing. */
  closeCustomer?: (trx: Transaction<Database>, customerId: string) => Promise<void>
}

declare module '#server/platform/deps.ts' {
  interface Core {
    slices: readonly Slice[]
  }
}

/**
 * Returns a slice unchanged and checks its type. One line in server/api.ts mounts the slice.
 *
 * @example
 * ```ts
 * export const savings = defineSlice({
 *   name: 'savings',
 *   routes: () => savingsRoutes,
 *   standingOrders: monthlyMoves,
 *   jobs: [roundUpJob, interestJob],
 *   waitingMoney: [overdueOrdersOf(monthlyMoves), overdueInterest],
 *   exportOf: (deps, { customerId }) => ({ goals: () => exportGoals(deps, customerId) }),
 *   closeCustomer: endGoals,
 * })
 * ```
 */
export function defineSlice<Routes, Options>(slice: Slice<Routes, Options>): Slice<Routes, Options> {
  return slice
}
