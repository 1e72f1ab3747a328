import type { SliceNotices } from '#server/notifications/topics.ts'

/** What a customer paid to have offset. */
export const carbonNotices = {
  offset: { kind: 'carbon_offset', topic: 'money_out' },
} as const satisfies SliceNotices
