import { t } from '@lingui/core/macro'
import type { TransactionFilters } from '#contract/accounts.ts'
import { CATEGORY_KEYS } from '#contract/categories.ts'
import { MAX_AMOUNT_MINOR } from '#contract/money.ts'
import { TRANSACTION_STATUSES } from '#contract/transaction-status.ts'
import { money } from '#web/i18n/formats.ts'
import { categoryText, transactionStatusText } from '#web/i18n/words.ts'
import { shortDay } from '#web/i18n/dates.ts'

type FilterName = keyof TransactionFilters

type Reader<Value> = (text: string) => Value | undefined

/** The API refuses longer texts. */
const MAX_TEXT = 100

const searchText: Reader<string> = (text) =>
  text.length <= MAX_TEXT && text.isWellFormed() && !text.includes('\0') ? text : undefined

const amountMinor: Reader<number> = (text) => {
  const minor = Number(text)
  return Number.isSafeInteger(minor) && minor > 0 && minor <= MAX_AMOUNT_MINOR ? minor : undefined
}

const day: Reader<string> = (text) => {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${text}T`) ? text : undefined
}

const oneOf =
  <Code extends string>(codes: readonly Code[]): Reader<Code> =>
  (text) =>
    codes.find((code) => code === text)

/** Reads each filter from a URL. Returns undefined for a value that the API would refuse. */
const READERS: { [Name in FilterName]-?: Reader<TransactionFilters[Name]> } = {
  q: searchText,
  minMinor: amountMinor,
  maxMinor: amountMinor,
  from: day,
  to: day,
  category: oneOf(CATEGORY_KEYS),
  status: oneOf(TRANSACTION_STATUSES),
}

/** Returns the filters in a URL. Invalid parts are left out; valid parts stay. */
export function filtersFrom(params: URLSearchParams): TransactionFilters {
  const filters: Record<string, unknown> = {}
  for (const [name, readValue] of Object.entries(READERS)) {
    const text = params.get(name)?.trim()
    const value = text ? readValue(text) : undefined
    if (value !== undefined) filters[name] = value
  }
  return filters
}

/** Swaps the ends of a range if they are in the wrong order. */
export function normaliseRanges(filters: TransactionFilters): TransactionFilters {
  const { minMinor, maxMinor, from, to, ...otherFilters } = filters
  const [low, high] = minMinor && maxMinor && minMinor > maxMinor ? [maxMinor, minMinor] : [minMinor, maxMinor]
  const [first, last] = from && to && from > to ? [to, from] : [from, to]
  return {
    ...otherFilters,
    ...(low && { minMinor: low }),
    ...(high && { maxMinor: high }),
    ...(first && { from: first }),
    ...(last && { to: last }),
  }
}

/** A filter in words, and the names of the parameters to remove with it. */
export type Chip = { label: string; names: FilterName[] }

/** Returns the active filters except the search text. An amount applies to money in and money out alike. */
export function chipsOf(filters: TransactionFilters, now: Date | null): Chip[] {
  const { minMinor, maxMinor, from, to, category, status } = filters
  const chips: Chip[] = []
  if (category) chips.push({ label: categoryText(category), names: ['category'] })
  if (status) chips.push({ label: transactionStatusText(status), names: ['status'] })
  const low = minMinor ? money(minMinor, 'USD') : null
  const high = maxMinor ? money(maxMinor, 'USD') : null
  if (low || high) chips.push({ label: amountRange(low, high), names: ['minMinor', 'maxMinor'] })
  const first = from ? shortDay(from, now) : null
  const last = to ? shortDay(to, now) : null
  if (first || last)
    chips.push({ label: first === last ? (first ?? '') : dayRange(first, last), names: ['from', 'to'] })
  return chips
}

function amountRange(low: string | null, high: string | null): string {
  if (low && high) return t({ message: `${low} – ${high}`, context: 'amounts', comment: 'Example: $5.00 – $20.00' })
  return low ? t({ message: `From ${low}`, context: 'amount' }) : t({ message: `Up to ${high}`, context: 'amount' })
}

function dayRange(first: string | null, last: string | null): string {
  if (first && last) return t({ message: `${first} – ${last}`, context: 'days', comment: 'Example: Aug 1 – Aug 26' })
  return first
    ? t({ message: `From ${first}`, context: 'day', comment: '{first} is a date, "Today" or "Yesterday"' })
    : t({ message: `Up to ${last}`, context: 'day', comment: '{last} is a date, "Today" or "Yesterday"' })
}

export function withoutFilters(filters: TransactionFilters, names: readonly FilterName[]): TransactionFilters {
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !names.includes(name as FilterName)))
}
