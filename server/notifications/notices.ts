import type { SliceNotices } from '#server/notifications/topics.ts'

/** Of money that came or went at once, whichever slice moved it. */
export const alertNotices = {
  received: { kind: 'payment_received', topic: 'money_in' },
  charged: { kind: 'card_payment', topic: 'cards' },
} as const satisfies SliceNotices

/** Of what there is to invest in. */
export const investingNotices = {
  update: { kind: 'investment_update', topic: 'investing' },
} as const satisfies SliceNotices
