import type { SliceNotices } from '#server/notifications/topics.ts'

export const cardNotices = {
  renewed: { kind: 'card_renewed', topic: 'cards' },
  cashback: { kind: 'cashback_paid', topic: 'money' },
} as const satisfies SliceNotices
