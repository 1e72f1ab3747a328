import type { DeviceParts } from '#contract/devices.ts'
import type { ReviewReason } from '#contract/review-reasons.ts'
import type { TextCode, TextOf, TextTable } from '#contract/texts.ts'
import type { LineMethod, LineName } from '#contract/wording.ts'

/** The id under which a catalog has what a code says. */
export const textId = <Table extends TextTable>(table: Table, code: TextCode<Table>): string => `${table}.${code}`

/** Whom or what a line is about; empty where nothing was said. */
export const nameSaid = (textOf: TextOf, { code, params }: LineName): string =>
  code === 'name' ? (params['name'] ?? '') : textOf('label', code, params)

/** How a line was paid; empty where nothing was said. */
export const methodSaid = (textOf: TextOf, method: LineMethod | null): string =>
  method ? textOf('method', method.code, method.params) : ''

/** What a device is called. */
export const deviceSaid = (textOf: TextOf, { browser, system, by }: DeviceParts): string => {
  if (by) return textOf('device', by)
  if (browser === null) return textOf('device', 'unknown')
  return system === null ? browser : textOf('device', 'on_system', { browser, system })
}

/** Why a case was not approved. */
export const reasonSaid = (textOf: TextOf, reason: ReviewReason): string =>
  typeof reason === 'string' ? reason : textOf('review_reason', reason.code)
