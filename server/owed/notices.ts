import type { SliceNotices } from '#server/notifications/topics.ts'

export const owedNotices = {
  owed: { kind: 'owed', topic: 'money' },
  collected: { kind: 'owed_collected', topic: 'money' },
} as const satisfies SliceNotices
