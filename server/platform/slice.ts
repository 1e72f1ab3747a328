import type { Transaction } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { BankEventType } from '#server/platform/events/bank-event.ts'
import type { RunnableJob } from '#server/platform/jobs/job.ts'

/** Who asks for their data, and in which session. */
export type ExportRequest = { customerId: string; session: string }

/**
 * Fields of a customer's download: values as they are; a function is called for its value when its turn comes, and an
 * async iterable is written as a list, bit by bit. Both may hold more of the same.
 */
export type Exported = { [name: string]: unknown }

/** Money that waits for something: a recipient, a rail, a date. */
export type WaitingMoney = {
  /** 'payments waiting to be claimed' */
  name: string
  /** When the oldest of it should have moved on by itself; null where none should have by now. Business time. */
  overdueSince(deps: Deps): Promise<Date | null>
}

/** What leaves the bank for somebody else's server: one job for each, of which all are done once the outbox is empty. */
export type Outbox = { name: string; jobs: readonly Pick<RunnableJob, 'name'>[] }

/** What else a slice may plug in, each field declared beside what reads it, which the platform does not know. */
export interface SliceParts {}

/** What a part of the bank plugs in. One line in server/api.ts mounts it. */
export type Slice<Routes = unknown, Options = never> = SliceParts & {
  /** The folder's name. */
  name: string
  /** Its part of the API, mounted under /api/v1. */
  routes?: (deps: Deps, options: Options) => Routes
  jobs?: readonly RunnableJob[]
  /** Writes what it still holds when the bank closes. */
  flush?: (deps: Deps) => Promise<void>
  waitingMoney?: readonly WaitingMoney[]
  outboxes?: readonly Outbox[]
  /** What it tells open screens and other servers of. */
  liveEvents?: readonly BankEventType[]
  /** Its part of everything the bank holds about a customer, by field, written as it is read. */
  exportOf?: (deps: Deps, request: ExportRequest) => Exported
  /** What it removes when a customer closes, in the SQL transaction that closes them. */
  closeCustomer?: (trx: Transaction<Database>, customerId: string) => Promise<void>
}

declare module '#server/platform/deps.ts' {
  interface Core {
    slices: readonly Slice[]
  }
}

export function defineSlice<Routes, Options>(slice: Slice<Routes, Options>): Slice<Routes, Options> {
  return slice
}
