import type { SliceNotices } from '#server/notifications/topics.ts'

/** Money can leave to the account from then on, so everybody is told. */
export const linkedAccountNotices = {
  verified: { kind: 'account_verified', topic: 'security' },
} as const satisfies SliceNotices
