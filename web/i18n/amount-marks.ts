import { ENGLISH_MARKS, englishAmount, marksOf, swapMarks } from '#contract/amount-marks.ts'
import { perLanguage } from '#web/i18n/formats.ts'

const MARKS = perLanguage(marksOf)

/** An amount as it is typed in the language in force, with the marks of English: '1.234,50' in German is '1,234.50'. */
export function withEnglishMarks(text: string): string {
  return englishAmount(text, MARKS())
}

/** The other way about. Both change no character's place, so a caret stays where it is. */
export function withOwnMarks(text: string): string {
  return swapMarks(text, ENGLISH_MARKS, MARKS())
}
