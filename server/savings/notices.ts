import type { SliceNotices } from '#server/notifications/topics.ts'

/** What becomes of goals while nobody looks; of one that is unlocked everybody hears, in case it was somebody else. */
export const savingsNotices = {
  skipped: { kind: 'goal_move_skipped', topic: 'savings' },
  unlocking: { kind: 'goal_unlocking', topic: 'security' },
} as const satisfies SliceNotices
