import type { SliceNotices } from '#server/notifications/topics.ts'

/** What becomes of a recurring buy on its date. */
export const recurringNotices = {
  bought: { kind: 'crypto_bought', topic: 'investing' },
  skipped: { kind: 'crypto_buy_skipped', topic: 'investing' },
} as const satisfies SliceNotices
