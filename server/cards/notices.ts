import type { SliceNotices } from '#server/notifications/topics.ts'

export const cardNotices = {
  cashback: { kind: 'cashback_paid', topic: 'money' },
} as const satisfies SliceNotices
