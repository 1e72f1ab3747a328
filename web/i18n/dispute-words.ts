import type { DisputeReason } from '#contract/dispute-reasons.ts'
import { textOf } from '#web/i18n/words.ts'

/** Returns the reason of a dispute in the current language. */
export const disputeReasonText = (reason: DisputeReason) => textOf('dispute_reason', reason)
