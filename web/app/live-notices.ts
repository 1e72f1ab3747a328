import type { QueryClient } from '@tanstack/react-query'
import { noticePath } from '#contract/notices.ts'
import type { Notice } from '#contract/notifications.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { noticeText } from '#web/i18n/notice-words.ts'
import { paths } from '#web/lib/paths.ts'
import { toast } from '#web/lib/toast.ts'
import { unreadCount } from '#web/lib/unread-count.ts'
import { delay } from '#web/lib/abortable.ts'
import { noticeAction } from '#web/i18n/notice-action.ts'
import { newestNotices } from '#web/notifications/queries.ts'

/** Opens another screen of the app. */
export type OpenScreen = (path: string) => void

/** The maximum number of notices announced together. The list is better for more. */
const MAX_ANNOUNCED = 3

/** The tolerance for notices that arrive late. Their event may be booked up to this long before `sinceMs`. */
const LEEWAY_MS = 5_000

type AnnouncedNotice = {
  announced: ReadonlySet<string>
  /** The time from which notices are announced, in business time. */
  sinceMs: number
}

/** Returns the unread notices since `sinceMs` that were not announced, the oldest first. Payments are announced separately. */
export function findNewNotices<One extends Pick<Notice, 'id' | 'kind' | 'createdAt' | 'readAt'>>(
  notices: readonly One[],
  { announced, sinceMs }: AnnouncedNotice,
): One[] {
  return notices
    .filter(
      ({ id, kind, createdAt, readAt }) =>
        readAt === null &&
        kind !== 'payment_received' &&
        !announced.has(id) &&
        Date.parse(createdAt) >= sinceMs - LEEWAY_MS,
    )
    .slice(0, MAX_ANNOUNCED)
    .toReversed()
}

function toastNotice(notice: Notice, open: OpenScreen): void {
  const text = noticeText(notice)
  if (!text) return
  const action = noticeAction(notice)
  toast.message(text.title, {
    id: `notice-${notice.id}`,
    description: text.message,
    ...(action && { action: { label: action.label, onClick: () => open(action.path) } }),
  })
}

/** The notices that answer something that the customer submitted. */
const ANSWERS: ReadonlySet<string> = new Set([
  'kyc_approved',
  'kyc_rejected',
  'kyc_again',
  'loan_offered',
  'loan_refused',
])

/** The notices of actions whose own screen has already confirmed them. */
const DONE_THERE: ReadonlySet<string> = new Set(['carbon_offset', 'loan_disbursed', 'loan_repaid'])

/** Returns whether the open screen has already shown the content of a notice. */
export const isShownByScreen = (pathname: string, notice: Pick<Notice, 'kind' | 'params'>): boolean =>
  DONE_THERE.has(notice.kind) && pathname === noticePath(notice)

const LOOK_AGAIN_MS = 250

const isSomethingSaid = () => document.querySelector('[data-sonner-toast]:not([data-removed="true"])') !== null

/**
 * Shows the notice of an answer. The answer may arrive before the toast that confirms the submission, so this function waits
 * for that toast. The screen of the submission shows the answer itself.
 */
async function toastAnswer(notice: Notice, open: OpenScreen, signal: AbortSignal): Promise<void> {
  do await delay(LOOK_AGAIN_MS, signal)
  while (isSomethingSaid())
  if (location.pathname !== noticePath(notice)) toastNotice(notice, open)
}

type Announcer = {
  /** Sets the time, in business time, from which notices are announced. Only the first call has an effect. */
  begin(now: string): void
  /** Announces each new notice once, unless the customer is looking at the list. */
  announce(): void
  stop(): void
}

export function openAnnouncer(queries: QueryClient, openScreen: OpenScreen): Announcer {
  const stop = countUnread(queries)
  void renewPush()
  const announcedIds = new Set<string>()
  let sinceMs = Number.POSITIVE_INFINITY
  const stopController = new AbortController()
  const announceNotice = (notice: Notice) => {
    if (isShownByScreen(location.pathname, notice)) return
    if (ANSWERS.has(notice.kind)) toastAnswer(notice, openScreen, stopController.signal).catch(() => undefined)
    else toastNotice(notice, openScreen)
  }
  return {
    begin: (now) => {
      sinceMs = Math.min(sinceMs, Date.parse(now))
    },
    announce: () => {
      if (location.pathname === paths.notifications) return
      newestNotices(MAX_ANNOUNCED).then(
        (notices) => {
          findNewNotices(notices, { announced: announcedIds, sinceMs }).forEach(announceNotice)
          for (const { id } of notices) announcedIds.add(id)
        },
        () => {},
      )
    },
    stop: () => {
      stopController.abort()
      stop()
    },
  }
}

/** Updates the unread count of the page's title and the rail from the dashboard's data. Returns a function that stops it. */
function countUnread(queries: QueryClient): () => void {
  const count = (): void => {
    const newCount = queries.getQueryData(dashboardQuery.queryKey)?.unreadNotifications ?? 0
    if (newCount !== unreadCount.get()) unreadCount.set(newCount)
  }
  count()
  const stop = queries.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] === dashboardQuery.queryKey[0]) count()
  })
  return () => {
    stop()
    unreadCount.set(0)
  }
}

/** Renews the push subscription at the bank, if this browser shows notices while the app is closed. */
async function renewPush(): Promise<void> {
  if (globalThis.Notification?.permission !== 'granted') return
  await import('#web/notifications/browser-push.ts').then(({ renewPushHere }) => renewPushHere()).catch(() => {})
}
