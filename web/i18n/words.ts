import { i18n } from '@lingui/core'
import type { Category } from '#contract/categories.ts'
import type { TransactionStatus } from '#contract/transaction-status.ts'
import { type Language, LANGUAGES } from '#contract/languages.ts'
import type { TextOf } from '#contract/texts.ts'
import { methodTextIn, nameTextIn, textId } from '#contract/code-texts.ts'
import type { LineMethod, LineName } from '#contract/line-texts.ts'

/** Returns the text of a code in the current language. */
export const textOf: TextOf = (table, code, params = {}) => i18n._(textId(table, code), params)

export const categoryText = (category: Category) => textOf('category', category)

export const transactionStatusText = (status: TransactionStatus) => textOf('transaction_status', status)

/** Returns the other party or the purpose of a line; empty if there is none. */
export const nameText = (name: LineName) => nameTextIn(textOf, name)

/** Returns the payment method of a line; empty if it is unknown. */
export const methodText = (method: LineMethod | null) => methodTextIn(textOf, method)

/** Returns the name of a language in the current language. */
export function languageText(language: Language): string {
  return new Intl.DisplayNames([i18n.locale], { type: 'language' }).of(language) ?? LANGUAGES[language].name
}
