import { fold } from '#contract/folding.ts'
import { LANGUAGE_CODES } from '#contract/languages.ts'

/** The least number of letters in an abbreviation of a month. */
const SHORTEST = 3

/** Abbreviations of months that are not the beginning of the month's name. */
const ALSO: Record<string, number> = { mrz: 3, mrt: 3, set: 9, sept: 9 }

/** Returns the names of a month in one language, alone and within a day. */
function namesOf(locale: string, month: number): string[] {
  const day = new Date(Date.UTC(2026, month - 1, 15))
  return (['long', 'short'] as const).flatMap((width) =>
    [{ month: width }, { month: width, day: 'numeric' } as const].map(
      (parts) =>
        new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC', numberingSystem: 'latn' })
          .formatToParts(day)
          .find(({ type }) => type === 'month')?.value ?? '',
    ),
  )
}

/**
 * Returns the number of each month by its names in all languages of the bank, and by each beginning of a name that only one
 * month has.
 */
function monthNames(): ReadonlyMap<string, number> {
  const daysByMonth = new Map<string, Set<number>>()
  const add = (name: string, month: number) => daysByMonth.set(name, (daysByMonth.get(name) ?? new Set()).add(month))
  for (const code of LANGUAGE_CODES)
    for (let month = 1; month <= 12; month += 1)
      for (const name of new Set(namesOf(code, month).map((text) => fold(text).replaceAll('.', '')))) {
        if (!/^\p{L}+$/u.test(name)) continue
        for (let length = Math.min(SHORTEST, name.length); length <= name.length; length += 1)
          add(name.slice(0, length), month)
      }
  const names = new Map(
    [...daysByMonth].flatMap(([name, months]) => (months.size === 1 ? [[name, [...months][0] ?? 0]] : [])),
  )
  return new Map([...names, ...Object.entries(ALSO)])
}

let names: ReadonlyMap<string, number> | null = null

/**
 * Returns the number of a month by its name or the beginning of its name, in any language of the bank, or null if it is
 * none.
 */
export function parseMonthName(text: string): number | null {
  names ??= monthNames()
  return names.get(fold(text).replaceAll('.', '')) ?? null
}
