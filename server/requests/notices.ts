import type { SliceNotices } from '#server/notifications/topics.ts'

/** What the two sides of a request are told. */
export const requestNotices = {
  received: { kind: 'request_received', topic: 'requests' },
  fromStranger: { kind: 'request_from_stranger', topic: 'requests' },
  reminder: { kind: 'request_reminder', topic: 'requests' },
  paid: { kind: 'request_paid', topic: 'requests' },
  declined: { kind: 'request_declined', topic: 'requests' },
  expired: { kind: 'request_expired', topic: 'requests' },
} as const satisfies SliceNotices
