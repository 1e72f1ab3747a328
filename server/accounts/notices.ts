import type { SliceNotices } from '#server/notifications/topics.ts'

export const accountNotices = {
  topUpSettled: { kind: 'top_up_settled', topic: 'money' },
} as const satisfies SliceNotices
