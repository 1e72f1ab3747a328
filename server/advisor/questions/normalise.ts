import { fold } from '#contract/folding.ts'

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

/** A text as keywords are looked for in it: folded, with the digits and apostrophes that are ours. */
export const normalised = (text: string): string => fold(plainDigits(text)).replaceAll(/[\u2019\u02BC]/g, "'")
