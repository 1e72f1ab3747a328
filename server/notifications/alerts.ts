import type { Deps } from '#server/platform/deps.ts'
import type { Booked } from '#server/ledger/types.ts'
import { type NewNotice, notifyAll } from '#server/notifications/service.ts'
import { gather, type Gathered } from '#server/platform/gather.ts'

/** Alerts of money that moved: written a moment later, together with everybody else's, so that no payment waits for one. */
export type Alerts = Gathered<NewNotice>

declare module '#server/platform/deps.ts' {
  interface Deps {
    alerts: Alerts
  }
}

/** What telling of money takes. */
export type AlertDeps = Pick<Deps, 'alerts' | 'clock'>

/** A server that dies before it has written them loses a moment's alerts, and no money. */
export function openAlerts(deps: Pick<Deps, 'db' | 'clock' | 'events' | 'log'>): Alerts {
  return gather({
    waitMs: 50,
    batch: 1_000,
    // Past it a bank is so far behind that news of its payments is old: the list of transactions has them all.
    most: 100_000,
    write: (alerts) => notifyAll(deps, deps.db, alerts),
    onError: (error) => deps.log.warn({ err: error }, 'an alert was not kept'),
  })
}

/** Tells a customer that they were paid. `booked` is the payment, whose first leg has their money; nothing where it is an earlier response again. */
export function alertReceived(deps: AlertDeps, customerId: string, { id, replayed, legs, bookedAt }: Booked): void {
  const [leg] = legs
  if (replayed || !leg) return
  // As server/ledger/statement.ts names the line.
  const transactionId = leg.holdId ?? id
  const params = { amountMinor: leg.amountMinor, asset: leg.asset, name: leg.detail.creditName ?? '', transactionId }
  deps.alerts.add({ customerId, kind: 'payment_received', params, createdAt: bookedAt })
}
