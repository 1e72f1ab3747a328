import type { SliceNotices } from '#server/notifications/topics.ts'

export const directDebitNotices = {
  requested: { kind: 'mandate_requested', topic: 'money' },
  announced: { kind: 'debit_announced', topic: 'money' },
  collected: { kind: 'debit_collected', topic: 'money' },
  unpaid: { kind: 'debit_unpaid', topic: 'money' },
} as const satisfies SliceNotices
