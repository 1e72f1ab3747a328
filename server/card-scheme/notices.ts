import type { SliceNotices } from '#server/notifications/topics.ts'

export const cardSchemeNotices = {
  declined: { kind: 'card_declined', topic: 'cards' },
  refunded: { kind: 'card_refunded', topic: 'cards' },
} as const satisfies SliceNotices
