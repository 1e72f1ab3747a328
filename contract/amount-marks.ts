/** What a language writes between the whole and its decimals, and between thousands. */
export type Marks = { decimal: string; group: string }

export const ENGLISH_MARKS: Marks = { decimal: '.', group: ',' }

/** The marks of a locale. */
export function marksOf(locale: string): Marks {
  const parts = new Intl.NumberFormat(locale).formatToParts(12_345.6)
  const mark = (type: 'decimal' | 'group') => parts.find((part) => part.type === type)?.value ?? ENGLISH_MARKS[type]
  return { decimal: mark('decimal'), group: mark('group') }
}

/** Digits and marks as Chinese and Japanese keyboards type them, as wide as a letter. */
const FULL_WIDTH = /[\uFF0C\uFF0E\uFF10-\uFF19]/g
const FULL_WIDTH_OFFSET = 0xfee0

const narrow = (character: string) => String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH_OFFSET)

/** Arabic and Persian digits, and the marks that go with them, as their keyboards type them. */
const EASTERN = /[\u0660-\u0669\u06F0-\u06F9\u066B\u066C]/g

function western(character: string): string {
  if (character === '\u066B') return ENGLISH_MARKS.decimal
  if (character === '\u066C') return ENGLISH_MARKS.group
  return String(character.charCodeAt(0) & 0xf)
}

/** Swaps one pair of marks for another: what was neither stays, and no character changes its place. */
export function swapMarks(text: string, from: Marks, to: Marks): string {
  return Array.from(text, (character) =>
    character === from.decimal ? to.decimal : character === from.group ? to.group : character,
  ).join('')
}

/** An amount as it is typed in a language, with the marks of English: '1.234,50' in German is '1,234.50'. */
export function englishAmount(text: string, marks: Marks): string {
  const typed = text.replace(FULL_WIDTH, narrow)
  // French writes a space between thousands that no keyboard has.
  const spaced = marks.group.trim() === '' ? typed.replaceAll(/\s/g, marks.group) : typed
  return swapMarks(spaced, marks, ENGLISH_MARKS).replace(EASTERN, western)
}
