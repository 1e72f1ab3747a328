import type { SliceNotices } from '#server/notifications/topics.ts'

export const disputeNotices = {
  credited: { kind: 'dispute_credited', topic: 'cards' },
  upheld: { kind: 'dispute_upheld', topic: 'cards' },
  rejected: { kind: 'dispute_rejected', topic: 'cards' },
} as const satisfies SliceNotices
