import type { Deps } from '#server/platform/deps.ts'
import type { Booked } from '#server/ledger/types.ts'
import { alertNotices } from '#server/notifications/notices.ts'
import { type NewNotice, notifyAll } from '#server/notifications/service.ts'
import { openWriteLater, type WriteLater } from '#server/platform/db/write-later.ts'

/** How long an alert waits to be written with those that follow, in milliseconds. */
const GATHER_MS = 50
/** The most that share a statement. */
const BATCH = 1_000
/** The most that wait. Past it a bank is so far behind that news of its payments is old: the list of transactions has them all. */
const MOST_WAITING = 100_000

/** Alerts of money that moved: written a moment later, together with everybody else's, so that no payment waits for one. */
export type Alerts = WriteLater<NewNotice>

declare module '#server/platform/deps.ts' {
  interface Deps {
    alerts: Alerts
  }
}

/** What telling of money takes. */
export type AlertDeps = Pick<Deps, 'alerts' | 'clock'>

/** A server that dies before it has written them loses a moment's alerts, and no money. */
export function openAlerts(deps: Pick<Deps, 'db' | 'clock' | 'events' | 'log'>): Alerts {
  return openWriteLater({
    gatherMs: GATHER_MS,
    batch: BATCH,
    most: MOST_WAITING,
    write: (alerts) => notifyAll(deps, deps.db, alerts),
    onLost: (error) => deps.log.warn({ err: error }, 'an alert was not kept'),
  })
}

/** Tells a customer that they were paid. `booked` is the payment, whose first leg has their money. */
export function alertReceived(deps: AlertDeps, customerId: string, booked: Booked): void {
  alertOf(deps, customerId, booked, alertNotices.received, booked.legs[0]?.detail.creditName)
}

type AlertNotice = (typeof alertNotices)[keyof typeof alertNotices]

/** Nothing is told where `booked` is an earlier response again. */
function alertOf(
  deps: AlertDeps,
  customerId: string,
  { id, replayed, legs, bookedAt }: Booked,
  notice: AlertNotice,
  name = '',
): void {
  const [leg] = legs
  if (replayed || !leg) return
  // As server/ledger/statement.ts names the line.
  const transactionId = leg.holdId ?? id
  const params = { amountMinor: leg.amountMinor, asset: leg.asset, name, transactionId }
  deps.alerts.add({ customerId, ...notice, params, createdAt: bookedAt })
}
