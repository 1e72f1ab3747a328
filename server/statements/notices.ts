import type { SliceNotices } from '#server/notifications/topics.ts'

export const statementNotices = {
  ready: { kind: 'statement_ready', topic: 'statements' },
} as const satisfies SliceNotices
