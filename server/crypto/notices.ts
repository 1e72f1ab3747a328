import type { SliceNotices } from '#server/notifications/topics.ts'

/** What becomes of limit orders and recurring buys while nobody looks. */
export const cryptoNotices = {
  filled: { kind: 'crypto_order_filled', topic: 'investing' },
  expired: { kind: 'crypto_order_expired', topic: 'investing' },
  bought: { kind: 'crypto_bought', topic: 'investing' },
  skipped: { kind: 'crypto_buy_skipped', topic: 'investing' },
} as const satisfies SliceNotices
