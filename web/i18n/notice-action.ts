import { t } from '@lingui/core/macro'
import type { DeclineReason } from '#contract/decline-reasons.ts'
import { noticePath } from '#contract/notice-links.ts'
import type { Notice } from '#contract/notifications.ts'

/** What a customer presses to do something about a declined card payment; null where nothing helps. */
function labelAfterDecline(reason: DeclineReason): string | null {
  switch (reason) {
    case 'card_frozen':
      return t({ message: 'Unfreeze', comment: 'A frozen card' })
    case 'payment_limit':
    case 'month_limit':
      return t({ message: 'Change Limit', comment: 'How much a card can pay' })
    case 'abroad_off':
    case 'online_off':
    case 'contactless_off':
      return t({ message: 'Turn On', comment: 'Payments online, abroad or contactless, for a card' })
    case 'wrong_cvv':
    case 'wrong_expiry':
      return t({ message: 'Freeze', comment: 'A card' })
    case 'insufficient_funds':
      return t`Add Money`
    case 'not_verified':
      return t({ message: 'Verify', comment: "The customer's identity" })
    default:
      return null
  }
}

/** What can be done about a notice from its toast, and on which screen. */
export function noticeAction(notice: Pick<Notice, 'kind' | 'params'>): { label: string; path: string } | null {
  if (notice.kind !== 'card_declined') return null
  const label = labelAfterDecline(notice.params['reason'] as DeclineReason)
  const path = noticePath(notice)
  return label !== null && path !== null ? { label, path } : null
}
