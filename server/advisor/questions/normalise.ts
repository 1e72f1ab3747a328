/** Arabic letters that are written in several ways, and what joins or lengthens them. */
const ARABIC: readonly (readonly [RegExp, string])[] = [
  [/[\u0622\u0623\u0625\u0671]/g, '\u0627'],
  [/\u0649/g, '\u064A'],
  [/\u0629/g, '\u0647'],
  [/\u0640/g, ''],
]

const POLISH_AND_GERMAN: readonly (readonly [RegExp, string])[] = [
  [/ł/g, 'l'],
  [/ß/g, 'ss'],
]

/** A letter of a script that writes no spaces between words. */
export const IS_UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Digits of any script as 0 to 9. */
export function plainDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => String(digitValue(digit.codePointAt(0) ?? 0)))
}

/** Each script's ten digits follow one another, and a script's zero is where a run of them begins. */
function digitValue(code: number): number {
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  // The mathematical digits are five runs without a gap, and there the first zero may be too far away.
  return code >= 0x1d7ce && code <= 0x1d7ff ? (code - 0x1d7ce) % 10 : code - zero
}

/** A text as keywords are looked for in it: without accents, capitals, wide letters, or the forms of Arabic letters. */
export function normalised(text: string): string {
  const folded = plainDigits(text.normalize('NFKC')).toLowerCase()
  const plain = [...ARABIC, ...POLISH_AND_GERMAN].reduce((done, [from, to]) => done.replaceAll(from, to), folded)
  // The marks that tell ガ from カ are part of the letter.
  return plain
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F\u064B-\u065F\u0670]/g, '')
    .normalize('NFC')
    .replaceAll(/[\u2019\u02BC]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim()
}
