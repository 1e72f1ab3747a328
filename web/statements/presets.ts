import { t } from '@lingui/core/macro'
import type { StatementRange } from '#contract/statement-range.ts'
import { monthAndYear, monthEnd, monthStart } from '#web/i18n/dates.ts'

/** The number of months that are offered by name. */
const MONTHS = 6

/** Returns the days of a month, YYYY-MM, up to `today`. Returns null for an invalid or future month. */
export function rangeOfMonth(month: string | null, today: string): StatementRange | null {
  if (month === null || !/^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])$/.test(month)) return null
  const from = `${month}-01`
  if (from > today) return null
  const end = monthEnd(from)
  return { from, to: end > today ? today : end }
}

/** Returns the periods to choose from: the latest months since the account was opened, and the year to date. */
export function presetsOf({ today, since }: { today: string; since: string }): {
  label: string
  range: StatementRange
}[] {
  const now = today
  const months = Array.from({ length: MONTHS }, (_, back) => monthStart(now, back).slice(0, 7))
  const presets = months
    .filter((month) => month >= since.slice(0, 7))
    .flatMap((month) => {
      const range = rangeOfMonth(month, today)
      return range ? [{ label: monthAndYear(month), range }] : []
    })
  return [...presets, { label: t`This Year`, range: { from: `${today.slice(0, 4)}-01-01`, to: today } }]
}
