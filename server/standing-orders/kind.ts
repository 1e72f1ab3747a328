import type { Selectable, Transaction } from 'kysely'
import type { z } from 'zod'
import type { ErrorCode } from '#contract/errors.ts'
import type { UpcomingPayment } from '#contract/upcoming.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

export type StandingOrderRow = Selectable<Database['bank.standing_order']>

/** A standing order. The kind of the order defines the type of its terms. */
export type StandingOrder<Terms = unknown> = Omit<StandingOrderRow, 'terms'> & { terms: Terms }

type Trx = Transaction<Database>

/** Work of an order on one of its dates, in an SQL transaction. The customer is locked and has an open account. */
type OrderWork = (trx: Trx, customer: Pick<Customer, 'id' | 'currentAccountId' | 'verified'>) => Promise<void>

/**
 * A due date of an order. Both functions throw Refusal `schedule_changed` if the order has changed since it was read. The
 * transaction then changes nothing.
 */
export type DueDate = {
  /** Runs `work` and moves the order to its next date, in one SQL transaction. */
  book(work: OrderWork): Promise<void>
  /** Moves the order to its next date, for a kind that has its own SQL transaction. */
  take(trx: Trx): Promise<void>
}

/**
 * A kind of standing order. The engine handles the dates, and the kind handles the work on a date. Its slice lists it in
 * `standingOrders`.
 *
 * @example
 * ```ts
 * export const monthlyMoves: StandingOrderKind<object> = {
 *   name: 'saving',
 *   terms: z.object({}),
 *   hour: 0,
 *   onBusinessDays: false,
 *   retries: false,
 *   overdue: { name: 'monthly moves to goals that were not made in time', afterHours: 1 },
 *   isRefused: (code) => SKIPPED.has(code),
 *   perform: (deps, { id: goalId, next_on: dueOn, amount_minor: amountMinor }, { book }) =>
 *     book(async (trx, { id: customerId, currentAccountId: current }) => {
 *       const operation = goalMoveOperation({
 *         ...derivedIdentity('savings', goalId, `monthly:${dueOn}`),
 *         fingerprint: fingerprintOf('savings.monthly', goalId, dueOn),
 *         current,
 *         goal: await lockGoal(trx, customerId, goalId),
 *         label: 'savings.monthly',
 *         amountMinor,
 *         bookedAt: deps.clock.businessNow(),
 *       })
 *       await deps.ledger.postWithin(runIn(trx), [operation])
 *     }),
 *   refused: async (deps, trx, { id: goalId, customer_id: customerId, amount_minor: amountMinor }, { code }) => {
 *     if (code !== 'insufficient_funds') return
 *     const { name, asset } = await findGoal(trx, customerId, goalId)
 *     await notify(deps, trx, { customerId, kind: 'goal_move_skipped', params: { amountMinor, asset, name } })
 *   },
 * }
 * ```
 */
export type StandingOrderKind<Terms = unknown> = {
  name: StandingOrderRow['kind']
  terms: z.ZodType<Terms>
  /** The hour of business time at which a day's orders run. */
  hour: number
  /** Whether a date on which banks are closed waits for the next business day. */
  onBusinessDays: boolean
  /** Whether a refused date is tried again on the following business days (dates.ts). */
  retries: boolean
  /**
   * The maximum number of orders of one customer (`most`), and the refusal of a further order (`full`). Left out if there is no
   * maximum.
   */
  room?: { most: number; full: ErrorCode }
  /** The name under which `readyz` reports overdue dates, and the delay in hours from which a date is overdue. */
  overdue: { name: string; afterHours: number }
  /**
   * Whether a refusal with this code ends the try, so that `refused` notifies the customer. Any other error fails the job,
   * which is tried again.
   */
  isRefused: (code: ErrorCode) => boolean
  /**
   * Carries out a date with `book`, or calls `take` in the SQL transaction that moves the money, so that both commit or neither
   * does. Returns 'waits' if the date can only be carried out later on its day. Throws a Refusal if the date is refused.
   */
  perform(deps: Deps, order: StandingOrder<Terms>, date: DueDate): Promise<'waits' | void>
  /** Runs for a customer after a run has carried out or tried all due dates. */
  afterwards?(deps: Deps, customerId: string): Promise<void>
  /** Notifies the customer, in the SQL transaction that postpones the date or, after the last try, skips it. */
  refused(
    deps: Deps,
    trx: Trx,
    order: StandingOrder<Terms>,
    why: { code: ErrorCode; isLastTry: boolean },
  ): Promise<void>
  /** How upcoming dates appear in the list of upcoming payments; left out if the kind does not list them. */
  upcoming?: {
    kind: UpcomingPayment['kind']
    /** Returns the payee of each order, in the given order. */
    names(deps: Pick<Deps, 'db'>, customerId: string, orders: readonly StandingOrder<Terms>[]): Promise<string[]>
  }
}

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    standingOrders?: StandingOrderKind
  }
}

export const withTerms = <Terms>(
  kind: Pick<StandingOrderKind<Terms>, 'terms'>,
  row: StandingOrderRow,
): StandingOrder<Terms> => ({
  ...row,
  terms: kind.terms.parse(row.terms),
})
