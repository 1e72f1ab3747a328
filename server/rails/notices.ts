import type { SliceNotices } from '#server/notifications/topics.ts'

/** What becomes of money that a rail was asked for. */
export const railNotices = {
  settled: { kind: 'top_up_settled', topic: 'money_in' },
  failed: { kind: 'top_up_failed', topic: 'money_in' },
  returned: { kind: 'top_up_returned', topic: 'money_in' },
} as const satisfies SliceNotices

/** What becomes of money that a customer has sent to their account elsewhere. */
export const payoutNotices = {
  settled: { kind: 'payout_settled', topic: 'money' },
  returned: { kind: 'payout_returned', topic: 'money' },
} as const satisfies SliceNotices
