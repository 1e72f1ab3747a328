import type { Notice } from '#contract/notifications.ts'
import { bankDayOf, longDay } from '#web/i18n/dates.ts'

type NoticeDay = { day: string; title: string; notices: Notice[] }

/** Groups notices by the bank's days and keeps their order, newest first. */
export function groupNoticesByDay(notices: readonly Notice[], now: Date | null): NoticeDay[] {
  const days: NoticeDay[] = []
  for (const notice of notices) {
    const day = bankDayOf(notice.createdAt)
    const last = days.at(-1)
    if (last?.day === day) last.notices.push(notice)
    else days.push({ day, title: longDay(notice.createdAt, now), notices: [notice] })
  }
  return days
}
