import { formatAmount } from '#contract/money.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Booked } from '#server/ledger/types.ts'
import { type NewNotification, notifyAll } from '#server/notifications/service.ts'

/** How long an alert waits to be written with those that follow, in milliseconds. */
const GATHER_MS = 250
/** The most that share a statement. */
const BATCH = 1_000
/** The most that wait. Past it a bank is so far behind that news of its payments is old: the list of transactions has them all. */
const MOST_WAITING = 100_000

/** What telling of money takes. */
export type AlertDeps = Pick<Deps, 'alerts' | 'db' | 'clock' | 'events' | 'log'>

/** Alerts that wait to be written together. */
export type AlertQueue = { waiting: NewNotification[]; timer: NodeJS.Timeout | null; writing: Promise<void> }

export function openAlertQueue(): AlertQueue {
  return { waiting: [], timer: null, writing: Promise.resolve() }
}

/** Tells a customer that they were paid. `booked` is the payment, whose first leg has their money. */
export function alertReceived(deps: AlertDeps, customerId: string, booked: Booked): void {
  alertSoon(deps, customerId, booked, (amount, { creditName }) => ({
    kind: 'payment_received',
    title: 'Payment received',
    message: `You received ${amount} from ${creditName}.`,
  }))
}

/** Tells a customer that their card was charged. `booked` is the charge, whose first leg has their money. */
export function alertCharged(deps: AlertDeps, customerId: string, booked: Booked): void {
  alertSoon(deps, customerId, booked, (amount, { debitName }) => ({
    kind: 'card_payment',
    title: 'Card payment',
    message: `You paid ${amount} at ${debitName}.`,
  }))
}

type Words = (amount: string, detail: Booked['detail']) => Pick<NewNotification, 'kind' | 'title' | 'message'>

/**
 * Written a moment later, together with everybody else's news, so that no payment waits for it; and not at all where
 * `booked` is an earlier answer again. A server that dies in between loses that moment's alerts, and no money.
 */
function alertSoon(deps: AlertDeps, customerId: string, booked: Booked, words: Words): void {
  const [leg] = booked.legs
  const { alerts: queue } = deps
  if (booked.replayed || !leg || queue.waiting.length >= MOST_WAITING) return
  const amount = formatAmount(leg.amountMinor, leg.asset)
  queue.waiting.push({ customerId, ...words(amount, booked.detail), createdAt: booked.bookedAt })
  queue.timer ??= setTimeout(() => void flushAlerts(deps), GATHER_MS).unref()
}

/** Writes what waits, after what is being written. */
export function flushAlerts(deps: AlertDeps): Promise<void> {
  const { alerts: queue } = deps
  if (queue.timer) clearTimeout(queue.timer)
  queue.timer = null
  queue.writing = queue.writing.then(async () => {
    while (queue.waiting.length > 0) {
      const batch = queue.waiting.splice(0, BATCH)
      await inTransaction(deps.db, (_trx, run) => notifyAll(deps, run, batch)).catch((error: unknown) =>
        deps.log.warn({ err: error }, 'alerts not kept'),
      )
    }
  })
  return queue.writing
}

declare module '#server/platform/deps.ts' {
  interface Deps {
    alerts: AlertQueue
  }
}
