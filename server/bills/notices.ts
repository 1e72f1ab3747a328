import type { SliceNotices } from '#server/notifications/topics.ts'

export const billNotices = {
  invited: { kind: 'bill_group_invited', topic: 'requests' },
} as const satisfies SliceNotices
