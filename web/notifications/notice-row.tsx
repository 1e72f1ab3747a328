import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type NoticeKind, noticePath, NOTICES, noticeRowOf } from '#contract/notices.ts'
import type { Notice } from '#contract/notifications.ts'
import { MerchantMark } from '#web/accounts/shared/merchant-mark.tsx'
import { noticeText } from '#web/i18n/notice-words.ts'
import { timeSince } from '#web/i18n/time-since.ts'
import * as icons from '#web/notifications/notice-icons.ts'
import { cx } from '#web/ui/cx.ts'
import { RowIcon } from '#web/ui/row.tsx'

type NoticeRowProps = { notice: Notice; isUnread: boolean; now: Date | null }

const ROW_CLASS = '@container block px-4'

/** Shows a notice. The row links to the screen of its subject, if there is one. */
export function NoticeRow({ notice, isUnread, now }: NoticeRowProps) {
  const path = noticePath(notice)
  const inside = <Inside notice={notice} isUnread={isUnread} now={now} />
  if (path === null) return <div className={ROW_CLASS}>{inside}</div>
  return (
    <Link
      to={path}
      className={cx(ROW_CLASS, 'transition-colors duration-150 -outline-offset-2 hover:bg-muted/60 active:bg-muted')}
    >
      {inside}
    </Link>
  )
}

function Inside({ notice, isUnread, now }: NoticeRowProps) {
  const { title, message } = noticeText(notice) ?? { title: '', message: '' }
  const [, icon, tint] = noticeRowOf(notice.kind) ?? NOTICES.earlier
  // oxlint-disable-next-line import/namespace -- TypeScript proves that the name is one of them.
  const picture = icons[icon]
  return (
    <span className="flex min-h-16 items-start gap-3 py-3">
      <NoticeFace notice={notice}>
        <RowIcon icon={picture} tint={tint} />
      </NoticeFace>
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className={cx('min-w-0', isUnread ? 'font-semibold' : 'font-medium')}>
            {isUnread && (
              <span className="sr-only">
                <Trans comment="A screen reader reads this before a new notification">Unread:</Trans>{' '}
              </span>
            )}
            {title}
          </span>
          <span className="flex min-w-0 items-center gap-1.5 text-sm text-ink-soft">
            {now && <time dateTime={notice.createdAt}>{timeSince(notice.createdAt, now)}</time>}
            {isUnread && <span aria-hidden className="size-2.5 shrink-0 rounded-full bg-danger" />}
          </span>
        </span>
        <span className="mt-0.5 block text-[0.9375rem] text-pretty break-words text-ink-soft">{message}</span>
      </span>
    </span>
  )
}

/** The kinds of notice that contain the name of a merchant or a biller. */
const ABOUT_COMPANIES: ReadonlySet<string> = new Set<NoticeKind>([
  'card_payment',
  'card_declined',
  'card_refunded',
  'dispute_credited',
  'dispute_upheld',
  'dispute_rejected',
  'mandate_requested',
  'debit_announced',
  'debit_collected',
  'debit_unpaid',
  'price_raised',
])

/** Shows the merchant's mark with the notice's icon at its corner. Without a merchant, it shows the icon alone. */
function NoticeFace({ notice, children }: { notice: Notice; children: ReactNode }) {
  const { name } = notice.params
  if (!ABOUT_COMPANIES.has(notice.kind) || typeof name !== 'string' || name === '') return children
  return (
    <span className="relative shrink-0 @max-[12rem]:hidden">
      <MerchantMark name={name} />
      <span className="absolute -end-1.5 -bottom-1.5 rounded-full border-2 border-surface *:size-5! [&_svg]:size-3">
        {children}
      </span>
    </span>
  )
}
