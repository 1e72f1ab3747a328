import { fold } from '#contract/folding.ts'
import { LANGUAGE_CODES } from '#contract/languages.ts'

/** Letters that a month's name may be cut to. */
const SHORTEST = 3

/** Abbreviations that are no beginning of a name. */
const ALSO: Record<string, number> = { mrz: 3, mrt: 3, set: 9, sept: 9 }

/** The names of a month in one language, as it stands alone and in a day. */
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

/** Each name and each beginning of one that only one month has, in all languages of the bank. */
function monthNames(): ReadonlyMap<string, number> {
  const found = new Map<string, Set<number>>()
  const add = (name: string, month: number) => found.set(name, (found.get(name) ?? new Set()).add(month))
  for (const code of LANGUAGE_CODES)
    for (let month = 1; month <= 12; month += 1)
      for (const name of new Set(namesOf(code, month).map((text) => fold(text).replaceAll('.', '')))) {
        if (!/^\p{L}+$/u.test(name)) continue
        for (let length = Math.min(SHORTEST, name.length); length <= name.length; length += 1)
          add(name.slice(0, length), month)
      }
  const names = new Map(
    [...found].flatMap(([name, months]) => (months.size === 1 ? [[name, [...months][0] ?? 0]] : [])),
  )
  return new Map([...names, ...Object.entries(ALSO)])
}

let names: ReadonlyMap<string, number> | null = null

/** The number of a month by its name, or the beginning of it, in any language of the bank; null where it is none. */
export function monthNamed(text: string): number | null {
  names ??= monthNames()
  return names.get(fold(text).replaceAll('.', '')) ?? null
}
