import { perLanguage } from '#web/i18n/formats.ts'

/** What a language writes between the whole and its decimals, and between thousands. */
type Marks = { decimal: string; group: string }

const ENGLISH: Marks = { decimal: '.', group: ',' }

const MARKS = perLanguage((locale): Marks => {
  const parts = new Intl.NumberFormat(locale).formatToParts(12_345.6)
  const mark = (type: 'decimal' | 'group') => parts.find((part) => part.type === type)?.value ?? ENGLISH[type]
  return { decimal: mark('decimal'), group: mark('group') }
})

/** Arabic and Persian digits, and the marks that go with them, as their keyboards type them. */
const EASTERN = /[\u0660-\u0669\u06F0-\u06F9\u066B\u066C]/g

function western(character: string): string {
  if (character === '\u066B') return ENGLISH.decimal
  if (character === '\u066C') return ENGLISH.group
  return String(character.charCodeAt(0) & 0xf)
}

/** Swaps one pair of marks for another: what was neither stays. */
function swap(text: string, from: Marks, to: Marks): string {
  return Array.from(text, (character) =>
    character === from.decimal ? to.decimal : character === from.group ? to.group : character,
  ).join('')
}

/** An amount as it is typed in the language in force, with the marks of English: '1.234,50' in German is '1,234.50'. */
export function withEnglishMarks(text: string): string {
  return swap(text, MARKS(), ENGLISH).replace(EASTERN, western)
}

/** The other way about. Both change no character's place, so a caret stays where it is. */
export function withOwnMarks(text: string): string {
  return swap(text, ENGLISH, MARKS())
}
