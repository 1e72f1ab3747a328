import type { DisputeReason } from '#contract/dispute-reasons.ts'
import { textOf } from '#web/i18n/words.ts'

/** Why a card payment is disputed, as its customer says it. */
export const disputeReasonText = (reason: DisputeReason) => textOf('dispute_reason', reason)
