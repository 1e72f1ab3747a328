import type { SliceNotices } from '#server/notifications/topics.ts'

export const sampleNotices = {
  newFeature: { kind: 'new_feature', topic: 'news' },
} as const satisfies SliceNotices
