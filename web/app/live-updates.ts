import { t } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import type { Transaction } from '#contract/accounts.ts'
import { OWN_MOVES } from '#contract/categories.ts'
import { LIVE_EVENTS, type LiveEvent } from '#contract/events.ts'
import { joinLiveStream } from '#web/app/live-stream.ts'
import { openAnnouncer, type OpenScreen } from '#web/app/live-notices.ts'
import { toast } from '#web/lib/toast.ts'
import { money } from '#web/i18n/formats.ts'
import { nameText } from '#web/i18n/words.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { refetchNow } from '#web/lib/refetch.ts'
import { withJitter } from '#web/lib/jitter.ts'
import { meQuery } from '#web/lib/me.ts'

const RETRY_MS = { first: 1000, most: 30_000 }

/**
 * The tolerance for payments that arrive out of order. A new payment may be booked up to this long before the latest seen one.
 */
const LEEWAY_MS = 60_000

/** The transactions seen so far, and the time of the latest one. */
type SeenPayments = { ids: ReadonlySet<string>; latestMs: number }

export function trackPayments(seenPayments: SeenPayments | null, recent: readonly Transaction[]): SeenPayments {
  return {
    ids: new Set([...(seenPayments?.ids ?? []), ...recent.map((transaction) => transaction.id)]),
    latestMs: Math.max(seenPayments?.latestMs ?? 0, ...recent.map((transaction) => Date.parse(transaction.bookedAt))),
  }
}

/** Returns whether a transaction is a refund to a card. It is not a payment from a person, and has its own notice. */
const isRefund = ({ paymentMethod }: Transaction): boolean => paymentMethod?.code.endsWith('_card') ?? false

/**
 * Returns the payments from other people since the last check. An old transaction that becomes one of the recent ones does not
 * count.
 */
export function findNewPayments(seenPayments: SeenPayments, recent: readonly Transaction[]): Transaction[] {
  return recent.filter(
    (transaction) =>
      transaction.amountMinor > 0 &&
      transaction.status === 'completed' &&
      // The bank's own payments are announced by their notices.
      transaction.name.code === 'name' &&
      !OWN_MOVES.includes(transaction.category) &&
      !isRefund(transaction) &&
      !seenPayments.ids.has(transaction.id) &&
      Date.parse(transaction.bookedAt) >= seenPayments.latestMs - LEEWAY_MS,
  )
}

function toastPayment(transaction: Transaction): void {
  const sender = nameText(transaction.name)
  const amount = money(transaction.amountMinor, transaction.asset)
  toast.success(t`${sender} sent you ${amount}`, {
    id: `arrival-${transaction.id}`,
    ...(transaction.note && { description: transaction.note }),
  })
}

/** Returns a function that announces the payments that were not among the recent transactions of the previous call. */
function watchPayments(): (recent: readonly Transaction[]) => void {
  let lastSeen: SeenPayments | null = null
  return (recent) => {
    const seenPayments = lastSeen
    lastSeen = trackPayments(seenPayments, recent)
    if (seenPayments) findNewPayments(seenPayments, recent).forEach(toastPayment)
  }
}

/** Calls `onChange` when the page becomes visible or hidden, or gets the focus. Returns a function that stops it. */
function whenLookedAt(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange)
  window.addEventListener('focus', onChange)
  return () => {
    document.removeEventListener('visibilitychange', onChange)
    window.removeEventListener('focus', onChange)
  }
}

/**
 * Listens for live events while the page is visible. Refetches the data on the screen and announces incoming payments. Returns
 * a function that stops it.
 */
export function startLiveUpdates(queries: QueryClient, openScreen: OpenScreen): () => void {
  let leaveStream: (() => void) | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let delayMs = RETRY_MS.first
  const seePayments = watchPayments()
  const announcer = openAnnouncer(queries, openScreen)
  let lastCheck = Promise.resolve()
  let isStopped = false
  let hasCaughtUp = false

  /** Refetches the dashboard, one request at a time, and announces the payments since the last request. */
  function refresh(): void {
    lastCheck = lastCheck
      .then(async () => {
        const dashboard = await refetchNow(queries, dashboardQuery)
        announcer.begin(dashboard.now)
        seePayments(dashboard.recent)
      })
      .catch(() => {})
  }

  function open(): void {
    clearTimeout(timer)
    if (isStopped || leaveStream || document.visibilityState === 'hidden') return
    leaveStream = joinLiveStream({
      onOpen: catchUp,
      onMessage: handleMessage,
      onEnd: () => {
        close()
        openLater()
      },
    })
  }

  /** Refetches all data, because events before the connection, or during an interruption, are not sent again. */
  function catchUp(): void {
    delayMs = RETRY_MS.first
    refresh()
    if (hasCaughtUp) announcer.announce()
    void queries.invalidateQueries({ predicate: ({ meta }) => meta?.touchedBy !== undefined })
    hasCaughtUp = true
  }

  /** Reconnects later. The session may have ended, or the server may be down. The request for `me` shows which is true. */
  function openLater(): void {
    timer = setTimeout(() => {
      if (isStopped) return
      queries.fetchQuery({ ...meQuery, staleTime: 0, retry: false }).then(open, openLater)
    }, withJitter(delayMs))
    delayMs = Math.min(delayMs * 2, RETRY_MS.most)
  }

  function handleMessage(data: string): void {
    const { type } = JSON.parse(data) as LiveEvent
    // A newer server may send other events.
    if (!LIVE_EVENTS.includes(type)) return
    // Newer streams have replaced this one. It reconnects when the page is visible again.
    if (type === 'replaced') return close()
    refresh()
    if (type === 'notification') announcer.announce()
    void queries.invalidateQueries({ predicate: ({ meta }) => meta?.touchedBy?.includes(type) ?? false })
  }

  function close(): void {
    leaveStream?.()
    leaveStream = null
    clearTimeout(timer)
  }

  const stopLooking = whenLookedAt(() => (document.visibilityState === 'hidden' ? close() : open()))
  // The first request also makes sure that there is a session, which an EventSource cannot start.
  void queries.ensureQueryData(dashboardQuery).then((dashboard) => {
    seePayments(dashboard.recent)
    open()
  }, openLater)
  return () => {
    isStopped = true
    clearTimeout(timer)
    stopLooking()
    announcer.stop()
    close()
  }
}
