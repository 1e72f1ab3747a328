import type { QueryClient } from '@tanstack/react-query'
import { noticePath } from '#contract/notices.ts'
import type { Notice } from '#contract/notifications.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { noticeText } from '#web/i18n/notice-words.ts'
import { paths } from '#web/lib/paths.ts'
import { toast } from '#web/lib/toast.ts'
import { unread } from '#web/lib/unread.ts'
import { pause } from '#web/lib/waiting.ts'
import { noticeAction } from '#web/i18n/notice-action.ts'
import { newestNotices } from '#web/notifications/queries.ts'

/** Goes to another screen of the app. */
export type OpenScreen = (path: string) => void

/** The most notices that are announced at once: of more, the list tells better. */
const MOST_ANNOUNCED = 3

/** What a notice is about may have been booked this long before somebody looked, and be told only then. */
const LEEWAY_MS = 5_000

type Said = {
  announced: ReadonlySet<string>
  /** Business time. */
  sinceMs: number
}

/** What arrived since and was not announced, oldest first. A payment is announced by itself. */
export function newNotices<One extends Pick<Notice, 'id' | 'kind' | 'createdAt' | 'readAt'>>(
  notices: readonly One[],
  { announced, sinceMs }: Said,
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

/** What answers something that the customer has handed in. */
const ANSWERS: ReadonlySet<string> = new Set([
  'kyc_approved',
  'kyc_rejected',
  'kyc_again',
  'loan_offered',
  'loan_refused',
])

/** What a customer has done on the screen that it is about, which has said so. */
const DONE_THERE: ReadonlySet<string> = new Set(['carbon_offset', 'loan_disbursed', 'loan_repaid'])

/** Whether the open screen has said the same, so that the notice is left out. */
export const isSaidBy = (pathname: string, notice: Pick<Notice, 'kind' | 'params'>): boolean =>
  DONE_THERE.has(notice.kind) && pathname === noticePath(notice)

const LOOK_AGAIN_MS = 250

const isSomethingSaid = () => document.querySelector('[data-sonner-toast]:not([data-removed="true"])') !== null

/**
 * An answer may be there before the bank has said that it got what it answers: it waits until that has been said. The screen
 * that it belongs to shows it by itself.
 */
async function toastAnswer(notice: Notice, open: OpenScreen, signal: AbortSignal): Promise<void> {
  do await pause(LOOK_AGAIN_MS, signal)
  while (isSomethingSaid())
  if (location.pathname !== noticePath(notice)) toastNotice(notice, open)
}

type Announcer = {
  /** From now on, business time, somebody looks; the first time counts. */
  begin(now: string): void
  /** Says what has arrived, each once. Whoever looks at the list sees it there. */
  announce(): void
  stop(): void
}

export function openAnnouncer(queries: QueryClient, openScreen: OpenScreen): Announcer {
  const stop = countUnread(queries)
  void renewPush()
  const announced = new Set<string>()
  let sinceMs = Number.POSITIVE_INFINITY
  const stopped = new AbortController()
  const say = (notice: Notice) => {
    if (isSaidBy(location.pathname, notice)) return
    if (ANSWERS.has(notice.kind)) toastAnswer(notice, openScreen, stopped.signal).catch(() => undefined)
    else toastNotice(notice, openScreen)
  }
  return {
    begin: (now) => {
      sinceMs = Math.min(sinceMs, Date.parse(now))
    },
    announce: () => {
      if (location.pathname === paths.notifications) return
      newestNotices(MOST_ANNOUNCED).then(
        (notices) => {
          newNotices(notices, { announced, sinceMs }).forEach(say)
          for (const { id } of notices) announced.add(id)
        },
        () => {},
      )
    },
    stop: () => {
      stopped.abort()
      stop()
    },
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
