import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Notice } from '#contract/notifications.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { useIsConnected } from '#web/lib/connection.ts'
import { markRead } from '#web/notifications/queries.ts'

/**
 * Returns the id of the newest notice; null if there are no notices. Ids begin with the time of creation, so they sort by time.
 */
export function newestNoticeId(notices: readonly Pick<Notice, 'id'>[]): string | null {
  return notices.reduce<string | null>((newest, { id }) => (newest === null || id > newest ? id : newest), null)
}

function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

const useVisible = () =>
  useSyncExternalStore(
    onVisibility,
    () => document.visibilityState === 'visible',
    () => false,
  )

/** The notices that were unread when first shown on this visit, and those that arrived during the visit. */
type UnseenNotices = { unread: ReadonlySet<string>; arrived: ReadonlySet<string> }

/** Marks the shown notices as read. Returns the notices that were unread before, so that the customer sees what is new. */
export function useMarkSeen(notices: readonly Notice[] | undefined): UnseenNotices {
  const queries = useQueryClient()
  const isVisible = useVisible()
  const isUp = useIsConnected()
  const [unseenNotices, setUnseenNotices] = useState<UnseenNotices | null>(null)
  const unread = notices?.filter(({ readAt }) => readAt === null) ?? []
  const addedIds = unread.filter(({ id }) => !unseenNotices?.unread.has(id)).map(({ id }) => id)
  if (notices && (!unseenNotices || addedIds.length > 0)) {
    setUnseenNotices({
      unread: new Set([...(unseenNotices?.unread ?? []), ...addedIds]),
      arrived: new Set(unseenNotices ? [...unseenNotices.arrived, ...addedIds] : []),
    })
  }
  const newestId = newestNoticeId(unread)
  useEffect(() => {
    if (newestId === null || !isVisible || !isUp) return
    markRead(newestId).then(
      ({ unread: unreadNotifications }) =>
        queries.setQueryData(
          dashboardQuery.queryKey,
          (dashboard) => dashboard && { ...dashboard, unreadNotifications },
        ),
      // After a failure, the notices stay unread until they are shown again.
      () => undefined,
    )
  }, [queries, newestId, isVisible, isUp])
  return unseenNotices ?? { unread: new Set(), arrived: new Set() }
}
