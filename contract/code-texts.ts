import type { DeviceParts } from '#contract/devices.ts'
import type { ReviewReason } from '#contract/review-reasons.ts'
import type { TextCode, TextOf, TextTable } from '#contract/texts.ts'
import type { LineMethod, LineName } from '#contract/line-texts.ts'

/** Returns the catalog id of a code's text. */
export const textId = <Table extends TextTable>(table: Table, code: TextCode<Table>): string => `${table}.${code}`

/** Returns the other party or the purpose of a ledger line as text; '' if the name is missing. */
export const nameTextIn = (textOf: TextOf, { code, params }: LineName): string =>
  code === 'name' ? (params['name'] ?? '') : textOf('label', code, params)

/** Returns the payment method of a ledger line as text; '' if the method is unknown. */
export const methodTextIn = (textOf: TextOf, method: LineMethod | null): string =>
  method ? textOf('method', method.code, method.params) : ''

/** Returns the name of a device. */
export const deviceTextIn = (textOf: TextOf, { browser, system, by }: DeviceParts): string => {
  if (by) return textOf('device', by)
  if (browser === null) return textOf('device', 'unknown')
  return system === null ? browser : textOf('device', 'on_system', { browser, system })
}

/** Returns the reason why a case was not approved. */
export const reasonTextIn = (textOf: TextOf, reason: ReviewReason): string =>
  typeof reason === 'string' ? reason : textOf('review_reason', reason.code)
