import { i18n } from '@lingui/core'
import type { Category } from '#contract/categories.ts'
import type { TransactionStatus } from '#contract/transaction-status.ts'
import { type Language, LANGUAGES } from '#contract/languages.ts'
import type { TextOf } from '#contract/texts.ts'
import { methodSaid, nameSaid, textId } from '#contract/said.ts'
import type { LineMethod, LineName } from '#contract/wording.ts'

/** What a code says in the language in force. */
export const textOf: TextOf = (table, code, params = {}) => i18n._(textId(table, code), params)

export const categoryText = (category: Category) => textOf('category', category)

export const transactionStatusText = (status: TransactionStatus) => textOf('transaction_status', status)

/** Whom or what a line is about; empty where nothing was said. */
export const nameText = (name: LineName) => nameSaid(textOf, name)

/** How a line was paid; empty where nothing was said. */
export const methodText = (method: LineMethod | null) => methodSaid(textOf, method)

/** What a language is called in the one in force. */
export function languageText(language: Language): string {
  return new Intl.DisplayNames([i18n.locale], { type: 'language' }).of(language) ?? LANGUAGES[language].name
}
