import type { SliceNotices } from '#server/notifications/topics.ts'

/** What becomes of a scheduled payment on its date. */
export const scheduleNotices = {
  sent: { kind: 'scheduled_sent', topic: 'money_out' },
  delayed: { kind: 'scheduled_delayed', topic: 'money_out' },
  skipped: { kind: 'scheduled_skipped', topic: 'money_out' },
} as const satisfies SliceNotices
