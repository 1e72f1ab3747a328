import type { SliceNotices } from '#server/notifications/topics.ts'

export const billNotices = {
  invited: { kind: 'bill_group_invited', topic: 'news' },
} as const satisfies SliceNotices
