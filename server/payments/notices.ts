import type { SliceNotices } from '#server/notifications/topics.ts'

/** What becomes of money that waits for somebody who is not a customer. */
export const paymentNotices = {
  claimed: { kind: 'payment_claimed', topic: 'money_out' },
  expired: { kind: 'payment_expired', topic: 'money_out' },
} as const satisfies SliceNotices
