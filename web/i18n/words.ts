import { i18n } from '@lingui/core'
import type { Category, TransactionStatus } from '#contract/accounts.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { NetworkZone, SecurityEventKind } from '#contract/identity.ts'
import { type Language, LANGUAGES } from '#contract/languages.ts'
import type { DocumentType } from '#contract/kyc.ts'
import { type TextCode, TEXTS, type TextTable } from '#contract/texts.ts'
import type { LineMethod, LineName } from '#contract/wording.ts'

/** What a code says in the language in force. */
function textOf<Table extends TextTable>(table: Table, code: TextCode<Table>, params: Record<string, string> = {}) {
  const id = `${table}.${code}`
  return i18n._(id, params, { message: TEXTS[table][code] as string })
}

/** What a person reads about a refusal. */
export const errorText = (code: ErrorCode) => textOf('error', code)

export const categoryText = (category: Category) => textOf('category', category)

export const transactionStatusText = (status: TransactionStatus) => textOf('transaction_status', status)

export const networkZoneText = (zone: NetworkZone) => textOf('network_zone', zone)

export const securityEventText = (kind: SecurityEventKind) => textOf('security_event', kind)

export const documentTypeText = (type: DocumentType) => textOf('document_type', type)

/** Whom or what a line is about; empty where nothing was said. */
export const nameText = ({ code, params }: LineName) =>
  code === 'name' ? (params['name'] ?? '') : textOf('label', code, params)

/** How a line was paid; empty where nothing was said. */
export const methodText = (method: LineMethod | null) => (method ? textOf('method', method.code, method.params) : '')

/** What a language is called in the one in force. */
export function languageText(language: Language): string {
  return new Intl.DisplayNames([i18n.locale], { type: 'language' }).of(language) ?? LANGUAGES[language].name
}
