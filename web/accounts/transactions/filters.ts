import { t } from '@lingui/core/macro'
import { type TransactionFilters, transactionFilters } from '#contract/accounts.ts'
import { money } from '#web/i18n/formats.ts'
import { categoryText, transactionStatusText } from '#web/i18n/words.ts'
import { shortDay } from '#web/i18n/dates.ts'

type FilterName = keyof TransactionFilters
const NAMES = Object.keys(transactionFilters.shape) as FilterName[]

/** The filters a URL asks for. A part that makes no sense is left out, the rest still holds. */
export function filtersFrom(params: URLSearchParams): TransactionFilters {
  const filters: Record<string, unknown> = {}
  for (const name of NAMES) {
    const value = params.get(name)
    if (value === null || value.trim() === '') continue
    const read = transactionFilters.shape[name].safeParse(value)
    if (read.success) filters[name] = read.data
  }
  return filters
}

/** Puts a range the right way round where its ends were given crosswise. */
export function normaliseRanges(filters: TransactionFilters): TransactionFilters {
  const { minMinor, maxMinor, from, to, ...rest } = filters
  const [low, high] = minMinor && maxMinor && minMinor > maxMinor ? [maxMinor, minMinor] : [minMinor, maxMinor]
  const [first, last] = from && to && from > to ? [to, from] : [from, to]
  return {
    ...rest,
    ...(low && { minMinor: low }),
    ...(high && { maxMinor: high }),
    ...(first && { from: first }),
    ...(last && { to: last }),
  }
}

/** One thing that is filtered by, in words, and the names to drop to be without it. */
export type Chip = { label: string; names: FilterName[] }

/** What is filtered by besides the text; an amount is meant whether it came in or went out. */
export function chipsOf(filters: TransactionFilters, now: Date | null): Chip[] {
  const { minMinor, maxMinor, from, to, category, status } = filters
  const chips: Chip[] = []
  if (category) chips.push({ label: categoryText(category), names: ['category'] })
  if (status) chips.push({ label: transactionStatusText(status), names: ['status'] })
  const low = minMinor ? money(minMinor, 'USD') : null
  const high = maxMinor ? money(maxMinor, 'USD') : null
  if (low || high) chips.push({ label: amountRange(low, high), names: ['minMinor', 'maxMinor'] })
  const first = from ? shortDay(`${from}T00:00:00Z`, now) : null
  const last = to ? shortDay(`${to}T00:00:00Z`, now) : null
  if (first || last)
    chips.push({ label: first === last ? (first ?? '') : dayRange(first, last), names: ['from', 'to'] })
  return chips
}

function amountRange(low: string | null, high: string | null): string {
  if (low && high) return t({ message: `${low} – ${high}`, context: 'amounts', comment: '$5.00 – $20.00' })
  return low ? t({ message: `From ${low}`, context: 'amount' }) : t({ message: `Up to ${high}`, context: 'amount' })
}

function dayRange(first: string | null, last: string | null): string {
  if (first && last) return t({ message: `${first} – ${last}`, context: 'days', comment: 'Aug 1 – Aug 26' })
  return first
    ? t({ message: `From ${first}`, context: 'day', comment: '{first} is a date, "Today" or "Yesterday"' })
    : t({ message: `Up to ${last}`, context: 'day', comment: '{last} is a date, "Today" or "Yesterday"' })
}

export function withoutFilters(filters: TransactionFilters, names: readonly FilterName[]): TransactionFilters {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !names.includes(name as FilterName)))
}
