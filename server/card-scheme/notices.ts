import type { SliceNotices } from '#server/notifications/topics.ts'

export const cardSchemeNotices = {
  declined: { kind: 'card_declined', topic: 'money' },
  refunded: { kind: 'card_refunded', topic: 'money' },
} as const satisfies SliceNotices
