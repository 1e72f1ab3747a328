/** Letters that Unicode decomposition leaves unchanged, with the letters that people type instead. */
const REPLACEMENT_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ς: 'σ',
  // Arabic letters that Unicode decomposition leaves unchanged. The decomposition already separates hamza and madda from the
  // alef.
  ٱ: 'ا',
  ى: 'ي',
  ة: 'ه',
  // Letters of Persian and Urdu keyboards.
  ی: 'ي',
  ک: 'ك',
}
const LIKE_ONE_OF = new RegExp(`[${Object.keys(REPLACEMENT_LETTERS).join('')}]`, 'gu')

/**
 * The accents of Latin, Greek and Cyrillic letters, the points of Hebrew, and the vowel signs and the lengthening stroke of
 * Arabic. The marks of other scripts must stay: in Japanese a mark makes another syllable, and in Hindi the marks are the
 * vowels.
 */
const MARKS =
  /[\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E8\u06EA-\u06ED]/g

/**
 * Returns a text in the form that all searches compare: without case and accents, in one width and one composition. Letters
 * that people type in place of each other become one letter. A run of spaces becomes one space. `ledger.folded` in PostgreSQL
 * takes the same steps.
 */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(LIKE_ONE_OF, (letter) => REPLACEMENT_LETTERS[letter] ?? letter)
    .replaceAll(/\s+/g, ' ')
    .trim()
