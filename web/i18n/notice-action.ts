import { t } from '@lingui/core/macro'
import { afterDecline } from '#contract/path-after-decline.ts'
import type { DeclineReason } from '#contract/decline-reasons.ts'
import type { Notice } from '#contract/notifications.ts'

/** The labels of the actions after a declined card payment. Reasons without an entry have no action. */
const AFTER_DECLINE: Partial<Record<DeclineReason, () => string>> = {
  card_frozen: () => t({ message: 'Unfreeze', comment: 'Unfreezes a card' }),
  payment_limit: () => t({ message: 'Change Limit', comment: 'Changes the spending limit of a card' }),
  month_limit: () => t({ message: 'Change Limit', comment: 'Changes the spending limit of a card' }),
  abroad_off: () => t({ message: 'Turn On', comment: 'Turns on online, foreign or contactless payments for a card' }),
  online_off: () => t({ message: 'Turn On', comment: 'Turns on online, foreign or contactless payments for a card' }),
  contactless_off: () =>
    t({ message: 'Turn On', comment: 'Turns on online, foreign or contactless payments for a card' }),
  wrong_cvv: () => t({ message: 'Freeze', comment: 'Freezes a card' }),
  wrong_expiry: () => t({ message: 'Freeze', comment: 'Freezes a card' }),
  insufficient_funds: () => t`Add Money`,
  not_verified: () => t({ message: 'Verify', comment: "Verifies the customer's identity" }),
}

/** Returns the action in the toast of a notice, with the path of its screen; null if the notice has no action. */
export function noticeAction(notice: Pick<Notice, 'kind' | 'params'>): { label: string; path: string } | null {
  if (notice.kind !== 'card_declined') return null
  const declineParams = notice.params as { reason: DeclineReason; cardId?: string }
  const label = AFTER_DECLINE[declineParams.reason]
  return label ? { label: label(), path: afterDecline(declineParams) } : null
}
