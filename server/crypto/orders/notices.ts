import type { SliceNotices } from '#server/notifications/topics.ts'

/** What becomes of limit orders while nobody looks. */
export const orderNotices = {
  filled: { kind: 'crypto_order_filled', topic: 'investing' },
  expired: { kind: 'crypto_order_expired', topic: 'investing' },
} as const satisfies SliceNotices
