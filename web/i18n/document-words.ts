import type { DocumentType } from '#contract/documents.ts'
import type { ReviewReason } from '#contract/review-reasons.ts'
import { reasonSaid } from '#contract/said.ts'
import { textOf } from '#web/i18n/words.ts'

export const documentTypeText = (type: DocumentType) => textOf('document_type', type)

/** Why a case was not approved. */
export const reasonText = (reason: ReviewReason) => reasonSaid(textOf, reason)
