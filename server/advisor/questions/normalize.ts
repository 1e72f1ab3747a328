import { fold } from '#contract/folding.ts'

/** A letter of a script without spaces between words. */
export const IS_UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Converts the digits of any script to 0 to 9. */
export function plainDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => String(digitValue(digit.codePointAt(0) ?? 0)))
}

/** The ten digits of each script are consecutive, and the run begins at the script's zero. */
function digitValue(code: number): number {
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  // The mathematical digits are five adjacent runs, so the search for zero might go too far back.
  return code >= 0x1d7ce && code <= 0x1d7ff ? (code - 0x1d7ce) % 10 : code - zero
}

/** Normalizes a text for keyword search: it folds the letters and unifies digits and apostrophes. */
export const normalize = (text: string): string => fold(plainDigits(text)).replaceAll(/[\u2019\u02BC]/g, "'")
