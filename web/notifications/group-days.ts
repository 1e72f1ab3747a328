import type { Notice } from '#contract/notifications.ts'
import { dayOf, longDay } from '#web/i18n/dates.ts'

type NoticeDay = { day: string; title: string; notices: Notice[] }

/** Parts a list by the bank's days, newest first as it came. */
export function groupDays(notices: readonly Notice[], now: Date | null): NoticeDay[] {
  const days: NoticeDay[] = []
  for (const notice of notices) {
    const day = dayOf(notice.createdAt)
    const last = days.at(-1)
    if (last?.day === day) last.notices.push(notice)
    else days.push({ day, title: longDay(notice.createdAt, now), notices: [notice] })
  }
  return days
}
