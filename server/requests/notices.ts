import type { SliceNotices } from '#server/notifications/topics.ts'

/** What the two sides of a request are told. */
export const requestNotices = {
  received: { kind: 'request_received', topic: 'money' },
  fromStranger: { kind: 'request_from_stranger', topic: 'money' },
  reminder: { kind: 'request_reminder', topic: 'money' },
  paid: { kind: 'request_paid', topic: 'money' },
  declined: { kind: 'request_declined', topic: 'money' },
  expired: { kind: 'request_expired', topic: 'money' },
} as const satisfies SliceNotices
