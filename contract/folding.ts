/** Letters that decomposing leaves as they are, and what is typed for them. */
const LIKE: Readonly<Record<string, string>> = {
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
  // Arabic: the alef without its hamza or madda comes by decomposing, these do not.
  ٱ: 'ا',
  ى: 'ي',
  ة: 'ه',
  // Persian and Urdu keyboards.
  ی: 'ي',
  ک: 'ك',
}
const LIKE_ONE_OF = new RegExp(`[${Object.keys(LIKE).join('')}]`, 'gu')

/**
 * Accents of Latin, Greek and Cyrillic letters, points of Hebrew, vowel signs of Arabic and its lengthening stroke. The marks of other
 * scripts are letters of their own: those of Japanese make another syllable, those of Hindi are its vowels.
 */
const MARKS =
  /[\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u0640\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E8\u06EA-\u06ED]/g

/**
 * A text as all searches compare it: without case and accents, in one width and one composition, with letters that are typed for
 * each other made one, and each run of spaces as one. `ledger.folded` in PostgreSQL does the same, line by line.
 */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(MARKS, '')
    .normalize('NFC')
    .replace(LIKE_ONE_OF, (letter) => LIKE[letter] ?? letter)
    .replaceAll(/\s+/g, ' ')
    .trim()
