import type { Deps } from '#server/platform/deps.ts'
import type { BookedOperation } from '#server/ledger/types.ts'
import { type NewNotice, notifyAll } from '#server/notifications/service.ts'
import { openWriteBuffer, type WriteBuffer } from '#server/platform/write-buffer.ts'

/** Alerts about payments. They are written in batches a moment later, so that no payment waits for one. */
export type Alerts = WriteBuffer<NewNotice>

declare module '#server/platform/deps.ts' {
  interface Deps {
    alerts: Alerts
  }
}

/** The dependencies for an alert. */
export type AlertDeps = Pick<Deps, 'alerts' | 'clock'>

/** Opens the queue of alerts. A server that crashes loses the alerts of the last moment, but no money. */
export function openAlerts(deps: Pick<Deps, 'db' | 'clock' | 'events' | 'log'>): Alerts {
  return openWriteBuffer({
    waitMs: 50,
    batch: 1_000,
    // The largest number of waiting alerts. With more, the bank is so far behind that its alerts would be old, and further
    // alerts are dropped. The list of transactions still has every payment.
    most: 100_000,
    write: (alerts) => notifyAll(deps, deps.db, alerts),
    onError: (error) => deps.log.warn({ err: error }, 'an alert was not stored'),
  })
}

/**
 * Notifies a customer of a payment to them. The third argument is the booked payment, whose first leg credits the customer.
 * Does nothing for a repeated response (`replayed`).
 */
export function alertReceived(
  deps: AlertDeps,
  customerId: string,
  { id, replayed, legs, bookedAt }: BookedOperation,
): void {
  const [leg] = legs
  if (replayed || !leg) return
  // The statement line has the same id (server/ledger/statement.ts).
  const transactionId = leg.holdId ?? id
  const params = { amountMinor: leg.amountMinor, asset: leg.asset, name: leg.detail.creditName ?? '', transactionId }
  deps.alerts.add({ customerId, kind: 'payment_received', params, createdAt: bookedAt })
}
