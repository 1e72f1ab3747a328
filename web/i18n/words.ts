import { i18n } from '@lingui/core'
import type { Category } from '#contract/categories.ts'
import type { TransactionStatus } from '#contract/transaction-status.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { NetworkZone, SecurityEventKind } from '#contract/security-events.ts'
import { type Language, LANGUAGES } from '#contract/languages.ts'
import type { DeviceParts } from '#contract/devices.ts'
import type { DocumentType } from '#contract/documents.ts'
import type { ReviewReason } from '#contract/review-reasons.ts'
import type { TextOf } from '#contract/texts.ts'
import { deviceSaid, methodSaid, nameSaid, reasonSaid, textId } from '#contract/said.ts'
import type { LineMethod, LineName } from '#contract/wording.ts'

/** What a code says in the language in force. */
const textOf: TextOf = (table, code, params = {}) => i18n._(textId(table, code), params)

/** What a person reads about a refusal. */
export const errorText = (code: ErrorCode) => textOf('error', code)

export const categoryText = (category: Category) => textOf('category', category)

export const transactionStatusText = (status: TransactionStatus) => textOf('transaction_status', status)

export const networkZoneText = (zone: NetworkZone) => textOf('network_zone', zone)

export const securityEventText = (kind: SecurityEventKind) => textOf('security_event', kind)

export const deviceText = (device: DeviceParts) => deviceSaid(textOf, device)

/** Why a case was not approved. */
export const reasonText = (reason: ReviewReason) => reasonSaid(textOf, reason)

export const documentTypeText = (type: DocumentType) => textOf('document_type', type)

/** Whom or what a line is about; empty where nothing was said. */
export const nameText = (name: LineName) => nameSaid(textOf, name)

/** How a line was paid; empty where nothing was said. */
export const methodText = (method: LineMethod | null) => methodSaid(textOf, method)

/** What a language is called in the one in force. */
export function languageText(language: Language): string {
  return new Intl.DisplayNames([i18n.locale], { type: 'language' }).of(language) ?? LANGUAGES[language].name
}
