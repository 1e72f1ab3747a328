/** The weights of an ABA routing number's digits: their sum divides by ten. */
const WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1]

/** The digits of what was typed, without the spaces and hyphens that people write them with. */
export const digitsOf = (text: string): string => text.replaceAll(/[\s-]/g, '')

export function isRoutingNumber(text: string): boolean {
  const digits = digitsOf(text)
  if (!/^\d{9}$/.test(digits) || /^0+$/.test(digits)) return false
  return WEIGHTS.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0) % 10 === 0
}

/** As long as the ACH network takes them. */
export const isAccountNumber = (text: string): boolean => /^\d{4,17}$/.test(digitsOf(text))

/**
 * The two digits that make what stands before them right, by MOD 97-10 of ISO/IEC 7064, which IBANs use too: they find every wrong
 * digit, and every two that changed places.
 */
export const checkDigitsOf = (digits: string): string => String(98 - rest97(`${digits}00`)).padStart(2, '0')

/** Whether a number ends with the check digits of what stands before them. */
export const hasCheckDigits = (number: string): boolean => /^\d{3,}$/.test(number) && rest97(number) === 1

const rest97 = (digits: string): number => Number(BigInt(digits) % 97n)

/**
 * Digits in groups of four, as people read them out. What parts them keeps the groups in order where one reads from the right (a
 * common separator between numbers, Unicode's annex 9), and on one line.
 */
export const grouped = (digits: string): string => digits.replaceAll(/(\d{4})(?=\d)/g, '$1\u00a0')
