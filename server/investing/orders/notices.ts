import type { SliceNotices } from '#server/notifications/topics.ts'

/** What becomes of orders, and of the dates of recurring investments. */
export const orderNotices = {
  filled: { kind: 'investment_filled', topic: 'investing' },
  cancelled: { kind: 'investment_cancelled', topic: 'investing' },
  skipped: { kind: 'investment_skipped', topic: 'investing' },
} as const satisfies SliceNotices
