import type { SliceNotices } from '#server/notifications/topics.ts'

/** Of a loan that was paid out, and of what is overdue, everybody hears: it may be the only way they learn of it. */
export const loanNotices = {
  offered: { kind: 'loan_offered', topic: 'money' },
  refused: { kind: 'loan_refused', topic: 'money' },
  offerExpired: { kind: 'loan_offer_expired', topic: 'money' },
  disbursed: { kind: 'loan_disbursed', topic: 'security' },
  short: { kind: 'loan_instalment_short', topic: 'security' },
  late: { kind: 'loan_late', topic: 'security' },
  repaid: { kind: 'loan_repaid', topic: 'money' },
} as const satisfies SliceNotices
