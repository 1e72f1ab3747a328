import type { SliceNotices } from '#server/notifications/topics.ts'

/** What becomes of Premium, and friends who have joined. */
export const rewardNotices = {
  short: { kind: 'premium_short', topic: 'money_out' },
  ended: { kind: 'premium_ended', topic: 'money_out' },
  friendJoined: { kind: 'friend_joined', topic: 'news' },
} as const satisfies SliceNotices
