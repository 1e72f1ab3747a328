import { intlLocale, type Language, languageOf } from '#contract/languages.ts'
import { normalised } from '#server/advisor/questions/normalise.ts'
import { KEYWORDS } from '#server/advisor/questions/understand.ts'

/** A number within a text: what stands before and after it. */
export type Place = { before: string; after: string }

/** Letters after which a day is an ordinal, as '1st' and '2e'. */
export const ORDINAL_AFTER = /^(?:st|nd|rd|th|er|re|e|è|ª|º|de|ste)(?!\p{L})/iu

/** Words before a year, with no month, as 'in 2027'. A language that is new to the bank has to say its own here. */
const BEFORE_YEAR: Readonly<Record<Language, string | null>> = {
  en: 'in|by|until|since',
  es: 'en|desde|hasta',
  fr: 'en|depuis',
  de: 'im|jahr|bis|seit',
  it: 'nel|dal',
  pt: 'em|desde|ate',
  nl: 'in|sinds|tot',
  pl: 'w|od|do|roku',
  // Theirs stands after it.
  zh: null,
  ja: null,
  ar: 'عام|سنه',
}
const YEAR_BEFORE = new RegExp(
  String.raw`(?<!\p{L})(?:${Object.values(BEFORE_YEAR).filter(Boolean).join('|')}) ?$`,
  'u',
)
/** What may stand between a day and its month, another day included: '1–31 August', '31 de agosto'. */
const TO_MONTH = String.raw`(?:st|nd|rd|th|er|º)?\.?\s?(?:(?:[-–—]|to|bis|al|au|a|ao|tot|do|and|und|y|e|et|en|i)\s?\d{1,2}(?:st|nd|rd|th|º)?\.?\s?)?(?:(?:de|of|من) |d')?`

type Months = { after: RegExp; before: RegExp }
const made = new Map<string, Months>()

/** The months by their names, long and short, alone and after a day, in a language and in English. */
function monthsIn(language: string): Months {
  const known = made.get(language)
  if (known) return known
  const names = new Set<string>()
  for (const locale of [intlLocale(language), 'en'])
    for (const month of ['long', 'short'] as const)
      for (const day of [undefined, 'numeric'] as const) {
        const format = new Intl.DateTimeFormat(locale, { month, day, timeZone: 'UTC' })
        for (let at = 0; at < 12; at += 1) {
          const part = format.formatToParts(Date.UTC(2026, at, 1)).find(({ type }) => type === 'month')
          const name = normalised(part?.value ?? '').replace(/\.$/, '')
          if (/\p{L}{2}/u.test(name)) names.add(name)
        }
      }
  for (const name of KEYWORDS[languageOf(language)].inMonth ?? []) names.add(normalised(name))
  const any = `(?:${[...names].join('|')})`
  const months = {
    after: new RegExp(String.raw`^${TO_MONTH}${any}(?!\p{L})`, 'u'),
    before: new RegExp(
      String.raw`(?<!\p{L})${any}\.?,?(?: de| del)?(?: the)? ?(?:\d{1,2}(?:st|nd|rd|th)?,? ?(?:[-–—] ?(?:\d{1,2},? ?)?)?)?$`,
      'u',
    ),
  }
  made.set(language, months)
  return months
}

/** No date goes on longer. */
const AROUND = 40

/** Whether a number stands where those of a date do: beside a month, as an ordinal, or in 2026-08-31. */
export function isInDate(value: number, place: Place, language: string): boolean {
  // Without the spaces at their ends, which a number that is glued to something else has none of.
  const before = normalised(place.before.slice(-AROUND))
  const after = normalised(place.after.slice(0, AROUND))
  const { after: monthAfter, before: monthBefore } = monthsIn(language)
  if (/^-\d{2}-\d{2}(?!\d)/.test(after) || /\d{4}-$/.test(before) || /\d{4}-\d{2}-$/.test(before)) return true
  if (/^[年月日号號]/u.test(after) || monthBefore.test(before)) return true
  if (value >= 1_000) return YEAR_BEFORE.test(before)
  return value <= 31 && (ORDINAL_AFTER.test(after) || monthAfter.test(after))
}
