/** The weights of the digits of an ABA routing number. The weighted sum is divisible by ten. */
const WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7, 1]

/** Removes the spaces and hyphens that people type between digits. */
export const stripSeparators = (text: string): string => text.replaceAll(/[\s-]/g, '')

export function isRoutingNumber(text: string): boolean {
  const digits = stripSeparators(text)
  if (!/^\d{9}$/.test(digits) || /^0+$/.test(digits)) return false
  return WEIGHTS.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0) % 10 === 0
}

/** The ACH network accepts 4 to 17 digits. */
export const isAccountNumber = (text: string): boolean => /^\d{4,17}$/.test(stripSeparators(text))

/**
 * Returns the two check digits of a number by MOD 97-10 of ISO/IEC 7064, which IBANs also use. They detect every error of one
 * wrong digit or of two swapped digits.
 */
export const checkDigitsOf = (digits: string): string => String(98 - rest97(`${digits}00`)).padStart(2, '0')

/** Returns whether the last two digits are the check digits of the digits before them. */
export const hasCheckDigits = (number: string): boolean => /^\d{3,}$/.test(number) && rest97(number) === 1

const rest97 = (digits: string): number => Number(BigInt(digits) % 97n)

/**
 * Returns digits in groups of four, separated by no-break spaces. A no-break space keeps the groups on one line. It also keeps
 * them in order in right-to-left text (as a common separator in Unicode's annex 9).
 */
export const groupDigits = (digits: string): string => digits.replaceAll(/(\d{4})(?=\d)/g, '$1\u00a0')
