import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Notice } from '#contract/notifications.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { useLineUp } from '#web/lib/line.ts'
import { markRead } from '#web/notifications/queries.ts'

/** Ids begin with when a notice was written. */
export function newestOf(notices: readonly Pick<Notice, 'id'>[]): string | null {
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

/** What was unread when it was first shown on this visit, and which of it came while the list was there. */
type Fresh = { unread: ReadonlySet<string>; arrived: ReadonlySet<string> }

/** Marks what is shown as read; what it answers stays as it was when somebody came, for them to see what is new. */
export function useSeen(notices: readonly Notice[] | undefined): Fresh {
  const queries = useQueryClient()
  const isVisible = useVisible()
  const isUp = useLineUp()
  const [fresh, setFresh] = useState<Fresh | null>(null)
  const unread = notices?.filter(({ readAt }) => readAt === null) ?? []
  const added = unread.filter(({ id }) => !fresh?.unread.has(id)).map(({ id }) => id)
  if (notices && (!fresh || added.length > 0)) {
    setFresh({
      unread: new Set([...(fresh?.unread ?? []), ...added]),
      arrived: new Set(fresh ? [...fresh.arrived, ...added] : []),
    })
  }
  const newest = newestOf(unread)
  useEffect(() => {
    if (newest === null || !isVisible || !isUp) return
    markRead(newest).then(
      ({ unread: unreadNotifications }) =>
        queries.setQueryData(dashboardQuery.queryKey, (known) => known && { ...known, unreadNotifications }),
      // They stay unread, until they are looked at again.
      () => undefined,
    )
  }, [queries, newest, isVisible, isUp])
  return fresh ?? { unread: new Set(), arrived: new Set() }
}
