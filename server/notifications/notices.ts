import type { SliceNotices } from '#server/notifications/topics.ts'

/** Of money that came or went at once, whichever slice moved it. */
export const alertNotices = {
  received: { kind: 'payment_received', topic: 'money' },
  charged: { kind: 'card_payment', topic: 'money' },
} as const satisfies SliceNotices
