import type { Selectable, Transaction } from 'kysely'
import type { z } from 'zod'
import type { ErrorCode } from '#contract/errors.ts'
import type { UpcomingPayment } from '#contract/upcoming.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

export type OrderRow = Selectable<Database['bank.standing_order']>

/** A standing order, with what its kind alone knows of it. */
export type StandingOrder<Terms = unknown> = Omit<OrderRow, 'terms'> & { terms: Terms }

type Trx = Transaction<Database>

/** What belongs to a date's SQL transaction. Its customer is locked and open. */
type Work = (trx: Trx, customer: Pick<Customer, 'id' | 'currentAccountId' | 'verified'>) => Promise<void>

/** A date that is due. Throws Refusal `schedule_changed` where the order is not as it was read: then nothing has happened. */
export type DueDate = {
  /** Moves the money of the date and the order on from it, in one SQL transaction. */
  book(work: Work): Promise<void>
  /** Moves the order on from it, in the SQL transaction of a kind that has one of its own. */
  take(trx: Trx): Promise<void>
}

/** A kind of standing order. The engine owns its dates; the kind knows what is done on one. */
export type OrderKind<Terms = unknown> = {
  name: OrderRow['kind']
  terms: z.ZodType<Terms>
  /** The hour of business time at which a day's orders are carried out. */
  hour: number
  /** Whether a date on which the banks are closed waits for the next business day. */
  onBusinessDays: boolean
  /** Whether a date that was refused is tried again on the business days after it (dates.ts). */
  retries: boolean
  /** How many a customer may have at once, and the refusal of one more. */
  room?: { most: number; full: ErrorCode }
  /** What `readyz` names when dates are late, and by how many hours they may be. */
  overdue: { name: string; afterHours: number }
  /** Which refusals of a date are for its customer to hear of; any other fails, and is tried again. */
  isRefused: (code: ErrorCode) => boolean
  /**
   * Carries out a date with `book`, or with `take` in the SQL transaction that moves the money, so that both happen or
   * neither. Answers 'waits' where the date can be carried out later on its day. Throws Refusal.
   */
  perform(deps: Deps, order: StandingOrder<Terms>, date: DueDate): Promise<'waits' | void>
  /** What is done of a customer once all their dates that are due are over. */
  afterwards?(deps: Deps, customerId: string): Promise<void>
  /** Tells the customer, in the SQL transaction that puts the date off or, where it is the last try, passes over it. */
  refused(
    deps: Deps,
    trx: Trx,
    order: StandingOrder<Terms>,
    why: { code: ErrorCode; isLastTry: boolean },
  ): Promise<void>
  /** How its dates are listed in advance; left out where they are not. */
  upcoming?: {
    kind: UpcomingPayment['kind']
    /** Whom each order pays, in the order in which they are given. */
    names(deps: Pick<Deps, 'db'>, customerId: string, orders: readonly StandingOrder<Terms>[]): Promise<string[]>
  }
}

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    standingOrders?: OrderKind
  }
}

export const withTerms = <Terms>(kind: Pick<OrderKind<Terms>, 'terms'>, row: OrderRow): StandingOrder<Terms> => ({
  ...row,
  terms: kind.terms.parse(row.terms),
})
