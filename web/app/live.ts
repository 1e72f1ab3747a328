import { t } from '@lingui/core/macro'
import type { QueryClient } from '@tanstack/react-query'
import type { Transaction } from '#contract/accounts.ts'
import { OWN_MOVES } from '#contract/categories.ts'
import { LIVE_EVENTS, type LiveEvent } from '#contract/events.ts'
import type { Notice } from '#contract/notifications.ts'
import { noticeText } from '#web/i18n/notice-words.ts'
import { paths } from '#web/lib/paths.ts'
import { toast } from '#web/lib/toast.ts'
import { unread } from '#web/lib/unread.ts'
import { noticeAction } from '#web/notifications/notice-action.ts'
import { newestNotices } from '#web/notifications/queries.ts'
import { money } from '#web/i18n/formats.ts'
import { nameText } from '#web/i18n/words.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { checkLine } from '#web/lib/line.ts'
import { meQuery } from '#web/lib/me.ts'

const EVENTS = '/api/v1/events'
const RETRY_MS = { first: 1000, most: 30_000 }

/** What else an event may have changed; a reviewer's decision comes with a notice. */
const TOUCHED = { balance: ['transactions', 'cards'], notification: ['notifications', 'kyc', 'disputes'], card: ['cards'] } as const

/** The most notices that are announced at once: of more, the list tells better. */
const MOST_ANNOUNCED = 3

/** Two payments may be booked in another order than their times by this much. */
const LEEWAY_MS = 60_000

/** Goes to another screen of the app. */
export type OpenScreen = (path: string) => void

/** The transactions seen so far, and the time of the latest. */
type Seen = { ids: ReadonlySet<string>; latestMs: number }

export function track(before: Seen | null, recent: readonly Transaction[]): Seen {
  return {
    ids: new Set([...(before?.ids ?? []), ...recent.map((transaction) => transaction.id)]),
    latestMs: Math.max(before?.latestMs ?? 0, ...recent.map((transaction) => Date.parse(transaction.bookedAt))),
  }
}

/** Payments from other people since then; an old transaction that moves up into the recent ones does not count. */
export function newPayments(known: Seen, recent: readonly Transaction[]): Transaction[] {
  return recent.filter(
    (transaction) =>
      transaction.amountMinor > 0 &&
      transaction.status === 'completed' &&
      // What the bank itself pays (cashback) is told by a notice.
      transaction.name.code === 'name' &&
      !OWN_MOVES.includes(transaction.category) &&
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

/** What arrived after `sinceMs`, business time, and was not announced, oldest first. A payment is announced by itself. */
export function newNotices<One extends Pick<Notice, 'id' | 'kind' | 'createdAt' | 'readAt'>>(
  notices: readonly One[],
  { announced, sinceMs }: { announced: ReadonlySet<string>; sinceMs: number },
): One[] {
  return notices
    .filter(
      ({ id, kind, createdAt, readAt }) =>
        readAt === null &&
        kind !== 'payment_received' &&
        !announced.has(id) &&
        Date.parse(createdAt) >= sinceMs - LEEWAY_MS,
    )
    .slice(0, MOST_ANNOUNCED)
    .toReversed()
}

function toastNotice(notice: Notice, open: OpenScreen): void {
  const said = noticeText(notice)
  if (!said) return
  const action = noticeAction(notice)
  toast.message(said.title, {
    id: `notice-${notice.id}`,
    description: said.message,
    ...(action && { action: { label: action.label, onClick: () => open(action.path) } }),
  })
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

/** Keeps the number that the page's title and the rail show: what the dashboard last said. Answers the way to stop. */
function countUnread(queries: QueryClient): () => void {
  const count = (): void => {
    const known = queries.getQueryData(dashboardQuery.queryKey)?.unreadNotifications ?? 0
    if (known !== unread.get()) unread.set(known)
  }
  count()
  const stop = queries.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] === dashboardQuery.queryKey[0]) count()
  })
  return () => {
    stop()
    unread.set(0)
  }
}

/** Where this browser shows notices while the app is closed, the bank is told that it still does. */
async function renewPush(): Promise<void> {
  if (globalThis.Notification?.permission !== 'granted') return
  await import('#web/notifications/browser-push.ts').then(({ renewPushHere }) => renewPushHere()).catch(() => {})
}

/**
 * Listens for live events while the page is visible: keeps the screen up to date with the bank and announces incoming
 * payments. Returns a function that stops.
 */
export function listen(queries: QueryClient, openScreen: OpenScreen): () => void {
  let source: EventSource | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let delayMs = RETRY_MS.first
  let known: Seen | null = null
  const announced = new Set<string>()
  let sinceMs = Number.POSITIVE_INFINITY
  let asking = Promise.resolve()
  let stopped = false
  let heard = false

  /** Refetches the dashboard, one request at a time, and announces payments since the last one. */
  function refresh(): void {
    asking = asking
      .then(async () => {
        const dashboard = await queries.fetchQuery({ ...dashboardQuery, staleTime: 0 })
        const seen = known
        known = track(seen, dashboard.recent)
        sinceMs = Math.min(sinceMs, Date.parse(dashboard.now))
        if (seen) newPayments(seen, dashboard.recent).forEach(toastPayment)
      })
      .catch(() => {})
  }

  /** Says what has arrived. Whoever looks at the list sees it there. */
  function announce(): void {
    if (location.pathname === paths.notifications) return
    newestNotices(MOST_ANNOUNCED).then(
      (notices) => {
        for (const notice of newNotices(notices, { announced, sinceMs })) toastNotice(notice, openScreen)
        for (const { id } of notices) announced.add(id)
      },
      () => {},
    )
  }

  function open(): void {
    clearTimeout(timer)
    if (stopped || source || document.visibilityState === 'hidden') return
    source = new EventSource(EVENTS)
    source.addEventListener('open', () => {
      delayMs = RETRY_MS.first
      // Events during the gap are not sent again.
      refresh()
      if (heard) announce()
      if (heard) for (const key of Object.values(TOUCHED).flat()) void queries.invalidateQueries({ queryKey: [key] })
      heard = true
    })
    source.addEventListener('message', (message: MessageEvent<string>) => hear(message.data))
    source.addEventListener('error', () => {
      checkLine()
      if (source?.readyState !== EventSource.CLOSED) return
      close()
      openLater()
    })
  }

  /** The stream was refused: the session may have ended, or the server is down. Reading `me` finds out. */
  function openLater(): void {
    timer = setTimeout(() => {
      if (stopped) return
      queries.fetchQuery({ ...meQuery, staleTime: 0, retry: false }).then(open, openLater)
    }, delayMs)
    delayMs = Math.min(delayMs * 2, RETRY_MS.most)
  }

  function hear(data: string): void {
    const { type } = JSON.parse(data) as LiveEvent
    // A newer server may tell of more.
    if (!LIVE_EVENTS.includes(type)) return
    // Other tabs have taken its stream. It reconnects when it is visible again.
    if (type === 'replaced') return close()
    refresh()
    if (type === 'notification') announce()
    for (const key of TOUCHED[type]) void queries.invalidateQueries({ queryKey: [key] })
  }

  function close(): void {
    source?.close()
    source = null
    clearTimeout(timer)
  }

  // The first question also makes sure that there is a session, which EventSource could not ask for.
  const stopLooking = whenLookedAt(() => (document.visibilityState === 'hidden' ? close() : open()))
  const stopCounting = countUnread(queries)
  void renewPush()
  void queries.ensureQueryData(dashboardQuery).then((dashboard) => {
    known = track(null, dashboard.recent)
    sinceMs = Date.parse(dashboard.now)
    open()
  }, openLater)
  return () => {
    stopped = true
    clearTimeout(timer)
    stopLooking()
    stopCounting()
    close()
  }
}
