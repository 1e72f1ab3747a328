import type { DocumentType } from '#contract/documents.ts'
import { textOf } from '#web/i18n/words.ts'

export const documentTypeText = (type: DocumentType) => textOf('document_type', type)
