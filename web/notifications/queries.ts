import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { NoticePreferenceChange } from '#contract/notice-topics.ts'
import type { PushRenewal, PushSubscriptionContent } from '#contract/push.ts'
import { api, unwrap, withSignal } from '#web/lib/api.ts'
import { OFFLINE_DATED } from '#web/lib/offline-cache.ts'

const notices = (query: { cursor?: string; limit?: string }, signal?: AbortSignal) =>
  unwrap(api.notifications.$get({ query }, signal && withSignal(signal)))

export const noticesQuery = infiniteQueryOptions({
  queryKey: ['notifications'],
  meta: { ...OFFLINE_DATED, touchedBy: ['notification'] },
  queryFn: ({ pageParam, signal }) => notices(pageParam === null ? {} : { cursor: pageParam }, signal),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
})

/** Loads the newest notices. */
export const newestNotices = async (count: number) => (await notices({ limit: String(count) })).notices

/** Marks all notices up to this one as read. */
export const markRead = (upTo: string) => unwrap(api.notifications.read.$post({ json: { upTo } }))

export const noticePreferencesQuery = queryOptions({
  queryKey: ['notification-preferences'],
  queryFn: ({ signal }) => unwrap(api.notifications.preferences.$get({}, withSignal(signal))),
})

export const changeNoticePreferences = (change: NoticePreferenceChange) =>
  unwrap(api.notifications.preferences.$patch({ json: change }))

export const pushQuery = queryOptions({
  queryKey: ['push'],
  queryFn: ({ signal }) => unwrap(api.push.$get({}, withSignal(signal))),
})

export const subscribePush = (subscription: PushSubscriptionContent) => unwrap(api.push.$post({ json: subscription }))

export const renewPush = (renewal: PushRenewal) => unwrap(api.push.renewal.$post({ json: renewal }))

export const unsubscribePush = () => unwrap(api.push.$delete())
