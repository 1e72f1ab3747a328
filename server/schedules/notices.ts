import type { SliceNotices } from '#server/notifications/topics.ts'

/** What becomes of a scheduled payment on its date. */
export const scheduleNotices = {
  sent: { kind: 'scheduled_sent', topic: 'money' },
  delayed: { kind: 'scheduled_delayed', topic: 'money' },
  skipped: { kind: 'scheduled_skipped', topic: 'money' },
} as const satisfies SliceNotices
