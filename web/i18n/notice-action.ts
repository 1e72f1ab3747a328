import { t } from '@lingui/core/macro'
import { afterDecline } from '#contract/after-decline.ts'
import type { DeclineReason } from '#contract/decline-reasons.ts'
import type { Notice } from '#contract/notifications.ts'

/** What a customer presses to do something about a declined card payment; none where nothing helps. */
const AFTER_DECLINE: Partial<Record<DeclineReason, () => string>> = {
  card_frozen: () => t({ message: 'Unfreeze', comment: 'A frozen card' }),
  payment_limit: () => t({ message: 'Change Limit', comment: 'How much a card can pay' }),
  month_limit: () => t({ message: 'Change Limit', comment: 'How much a card can pay' }),
  abroad_off: () => t({ message: 'Turn On', comment: 'Payments online, abroad or contactless, for a card' }),
  online_off: () => t({ message: 'Turn On', comment: 'Payments online, abroad or contactless, for a card' }),
  contactless_off: () => t({ message: 'Turn On', comment: 'Payments online, abroad or contactless, for a card' }),
  wrong_cvv: () => t({ message: 'Freeze', comment: 'A card' }),
  wrong_expiry: () => t({ message: 'Freeze', comment: 'A card' }),
  insufficient_funds: () => t`Add Money`,
  not_verified: () => t({ message: 'Verify', comment: "The customer's identity" }),
}

/** What can be done about a notice from its toast, and on which screen. */
export function noticeAction(notice: Pick<Notice, 'kind' | 'params'>): { label: string; path: string } | null {
  if (notice.kind !== 'card_declined') return null
  const declined = notice.params as { reason: DeclineReason; cardId?: string }
  const label = AFTER_DECLINE[declined.reason]
  return label ? { label: label(), path: afterDecline(declined) } : null
}
