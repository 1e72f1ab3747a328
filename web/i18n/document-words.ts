import type { DocumentType } from '#contract/documents.ts'
import type { ReviewReason } from '#contract/review-reasons.ts'
import { reasonTextIn } from '#contract/code-texts.ts'
import { textOf } from '#web/i18n/words.ts'

export const documentTypeText = (type: DocumentType) => textOf('document_type', type)

/** Returns the reason why a case was not approved. */
export const kycReasonText = (reason: ReviewReason) => reasonTextIn(textOf, reason)
