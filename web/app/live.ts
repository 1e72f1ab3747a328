import { t } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import type { Transaction } from '#contract/accounts.ts'
import { OWN_MOVES } from '#contract/categories.ts'
import { LIVE_EVENTS, type LiveEvent } from '#contract/events.ts'
import { joinStream } from '#web/app/live-stream.ts'
import { openAnnouncer, type OpenScreen } from '#web/app/live-notices.ts'
import { toast } from '#web/lib/toast.ts'
import { money } from '#web/i18n/formats.ts'
import { nameText } from '#web/i18n/words.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { fetchAnew } from '#web/lib/fetch-anew.ts'
import { jittered } from '#web/lib/jitter.ts'
import { meQuery } from '#web/lib/me.ts'

const RETRY_MS = { first: 1000, most: 30_000 }

/** Two payments may be booked in another order than their times by this much. */
const LEEWAY_MS = 60_000

/** The transactions seen so far, and the time of the latest. */
type Seen = { ids: ReadonlySet<string>; latestMs: number }

export function track(before: Seen | null, recent: readonly Transaction[]): Seen {
  return {
    ids: new Set([...(before?.ids ?? []), ...recent.map((transaction) => transaction.id)]),
    latestMs: Math.max(before?.latestMs ?? 0, ...recent.map((transaction) => Date.parse(transaction.bookedAt))),
  }
}

/** What a shop gives back to a card is no payment from somebody, and has a notice of its own. */
const isRefund = ({ paymentMethod }: Transaction): boolean => paymentMethod?.code.endsWith('_card') ?? false

/** Payments from other people since then; an old transaction that moves up into the recent ones does not count. */
export function newPayments(known: Seen, recent: readonly Transaction[]): Transaction[] {
  return recent.filter(
    (transaction) =>
      transaction.amountMinor > 0 &&
      transaction.status === 'completed' &&
      // What the bank itself pays is announced by its notice.
      transaction.name.code === 'name' &&
      !OWN_MOVES.includes(transaction.category) &&
      !isRefund(transaction) &&
      !known.ids.has(transaction.id) &&
      Date.parse(transaction.bookedAt) >= known.latestMs - LEEWAY_MS,
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

/** Announces the payments among the recent transactions that were not there the last time. */
function watchPayments(): (recent: readonly Transaction[]) => void {
  let known: Seen | null = null
  return (recent) => {
    const seen = known
    known = track(seen, recent)
    if (seen) newPayments(seen, recent).forEach(toastPayment)
  }
}

/** Calls `look` when the page becomes visible or hidden. Answers the way to stop. */
function whenLookedAt(look: () => void): () => void {
  document.addEventListener('visibilitychange', look)
  window.addEventListener('focus', look)
  return () => {
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('focus', look)
  }
}

/**
 * Listens for live events while the page is visible: keeps the screen up to date with the bank and announces incoming
 * payments. Returns a function that stops.
 */
export function listen(queries: QueryClient, openScreen: OpenScreen): () => void {
  let leaveStream: (() => void) | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let delayMs = RETRY_MS.first
  const seePayments = watchPayments()
  const announcer = openAnnouncer(queries, openScreen)
  let asking = Promise.resolve()
  let stopped = false
  let caughtUp = false

  /** Refetches the dashboard, one request at a time, and announces payments since the last one. */
  function refresh(): void {
    asking = asking
      .then(async () => {
        const dashboard = await fetchAnew(queries, dashboardQuery)
        announcer.begin(dashboard.now)
        seePayments(dashboard.recent)
      })
      .catch(() => {})
  }

  function open(): void {
    clearTimeout(timer)
    if (stopped || leaveStream || document.visibilityState === 'hidden') return
    leaveStream = joinStream({
      opened: catchUp,
      heard: hear,
      ended: () => {
        close()
        openLater()
      },
    })
  }

  /** What happened since the screen was loaded, or since the stream broke, is not sent again. */
  function catchUp(): void {
    delayMs = RETRY_MS.first
    refresh()
    if (caughtUp) announcer.announce()
    void queries.invalidateQueries({ predicate: ({ meta }) => meta?.touchedBy !== undefined })
    caughtUp = true
  }

  /** The stream was refused: the session may have ended, or the server is down. Reading `me` finds out. */
  function openLater(): void {
    timer = setTimeout(() => {
      if (stopped) return
      queries.fetchQuery({ ...meQuery, staleTime: 0, retry: false }).then(open, openLater)
    }, jittered(delayMs))
    delayMs = Math.min(delayMs * 2, RETRY_MS.most)
  }

  function hear(data: string): void {
    const { type } = JSON.parse(data) as LiveEvent
    // A newer server may tell of more.
    if (!LIVE_EVENTS.includes(type)) return
    // Other browsers have taken its stream. It reconnects when it is visible again.
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

  // The first question also makes sure that there is a session, which EventSource could not ask for.
  const stopLooking = whenLookedAt(() => (document.visibilityState === 'hidden' ? close() : open()))
  void queries.ensureQueryData(dashboardQuery).then((dashboard) => {
    seePayments(dashboard.recent)
    open()
  }, openLater)
  return () => {
    stopped = true
    clearTimeout(timer)
    stopLooking()
    announcer.stop()
    close()
  }
}
