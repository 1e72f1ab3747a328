import type { SliceNotices } from '#server/notifications/topics.ts'

/** By what the customer's case has come to. */
export const kycNotices = {
  approved: { kind: 'kyc_approved', topic: 'security' },
  rejected: { kind: 'kyc_rejected', topic: 'security' },
  again: { kind: 'kyc_again', topic: 'security' },
} as const satisfies SliceNotices
