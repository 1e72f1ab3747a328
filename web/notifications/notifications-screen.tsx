import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { BellRing, SlidersHorizontal } from 'lucide-react'
import { useMemo } from 'react'
import type { Notice } from '#contract/notifications.ts'
import { useBusinessNow } from '#web/accounts/queries.ts'
import { noticeText } from '#web/i18n/notice-words.ts'
import { paths } from '#web/lib/paths.ts'
import { groupNoticesByDay } from '#web/notifications/group-days.ts'
import { NoticeRow } from '#web/notifications/notice-row.tsx'
import { noticesQuery } from '#web/notifications/queries.ts'
import { useMarkSeen } from '#web/notifications/mark-seen.ts'
import { cx } from '#web/ui/cx.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { IconLink } from '#web/ui/icon-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Card, Screen } from '#web/ui/screen.tsx'
import { ShowMore } from '#web/ui/show-more.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'

/** Lists the customer's notices by day. Opening the screen marks them as read. */
export function NotificationsScreen() {
  const { t } = useLingui()
  return (
    <Screen
      title={t`Notifications`}
      back={paths.dashboard}
      actions={
        <IconLink
          icon={SlidersHorizontal}
          label={t`Notification Preferences`}
          to={paths.notificationPreferences}
          preventScrollReset
        />
      }
      className="!gap-1"
    >
      <List />
    </Screen>
  )
}

function List() {
  const { t } = useLingui()
  const list = useInfiniteQuery(noticesQuery)
  const pages = list.data?.pages
  const notices = useMemo(() => pages?.flatMap((page) => page.notices).filter(noticeText), [pages])
  const { unread, arrived } = useMarkSeen(notices)
  if (list.isError && !notices) {
    return <LoadFailure {...list} />
  }
  if (!notices) {
    return (
      <>
        <Loading label={t`Loading notifications`} />
        <DaySkeleton count={2} />
        <DaySkeleton count={3} />
      </>
    )
  }
  if (notices.length === 0 && !list.hasNextPage) {
    return (
      <EmptyState icon={BellRing} title={t`You're all caught up`}>
        <Trans>We'll let you know here when something happens.</Trans>
      </EmptyState>
    )
  }
  return (
    <>
      <Days notices={notices} unread={unread} arrived={arrived} />
      <ShowMore list={list} />
    </>
  )
}

type DaysProps = { notices: readonly Notice[]; unread: ReadonlySet<string>; arrived: ReadonlySet<string> }

function Days({ notices, unread, arrived }: DaysProps) {
  const now = useBusinessNow()
  return groupNoticesByDay(notices, now).map((group) => (
    <section key={group.day} aria-label={group.title}>
      <h2 className="px-1 pt-2 pb-1.5 text-sm font-semibold text-ink-soft first-letter:uppercase">{group.title}</h2>
      <Card>
        <ul className="divide-y divide-line">
          {group.notices.map((notice) => (
            <li key={notice.id} className={cx(arrived.has(notice.id) && 'animate-glow')}>
              <NoticeRow notice={notice} isUnread={unread.has(notice.id)} now={now} />
            </li>
          ))}
        </ul>
      </Card>
    </section>
  ))
}

/** A placeholder for a day of notices. */
function DaySkeleton({ count }: { count: number }) {
  return (
    <div aria-hidden>
      <div className="px-1 pt-2 pb-1.5">
        <Skeleton line className="w-20 text-sm" />
      </div>
      <Card>
        <ul className="divide-y divide-line">
          {Array.from({ length: count }, (_, index) => (
            <li key={index} className="@container px-4">
              <span className="flex min-h-16 items-start gap-3 py-3">
                <Skeleton round className="size-11 shrink-0 @max-[12rem]:hidden" />
                <span className="min-w-0 flex-1">
                  <span className="flex justify-between gap-3">
                    <Skeleton line className="w-32" />
                    <Skeleton line className="w-14 text-sm" />
                  </span>
                  <Skeleton line className="mt-0.5 w-52 text-[0.9375rem]" />
                </span>
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </div>
  )
}
