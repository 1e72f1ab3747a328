import type { NoticeKind } from '#contract/notifications.ts'

/** The screen that notices of a kind are about. */
const SCREENS: Partial<Record<NoticeKind, string>> = {
  payment_received: '/transactions',
  payment_claimed: '/transactions',
  payment_expired: '/transactions',
  card_payment: '/transactions',
  top_up_settled: '/transactions',
  top_up_failed: '/add-money',
  top_up_returned: '/transactions',
  kyc_approved: '/kyc',
  kyc_rejected: '/kyc',
  kyc_again: '/kyc',
  investment_update: '/invest',
  scheduled_sent: '/transactions',
  scheduled_delayed: '/transfer',
  scheduled_skipped: '/transfer',
  new_feature: '/transfer',
}

/** Where a notice leads: the one thing it is about, where it names one, or else the screen of its kind; null for nowhere. */
export function noticePath({ kind, params }: { kind: string; params: object }): string | null {
  const { transactionId, requestId } = params as { transactionId?: unknown; requestId?: unknown }
  if (typeof transactionId === 'string') return `/transaction-detail?id=${encodeURIComponent(transactionId)}`
  if (typeof requestId === 'string') return `/request?id=${encodeURIComponent(requestId)}`
  return SCREENS[kind as NoticeKind] ?? null
}
