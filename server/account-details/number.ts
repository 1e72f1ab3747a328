import { checkDigitsOf, hasCheckDigits } from '#contract/bank-numbers.ts'
import type { AccountId } from '#server/ledger/types.ts'
import { derivedKey, firstSecret, type Secret } from '#server/platform/secrets/derived-key.ts'
import { type DigitPermutation, digitPermutation } from '#server/platform/secrets/digit-permutation.ts'

/** The number of digits of an account number, not counting its two check digits. */
const DIGITS = 10
/** The smallest number. It has no leading zero, because spreadsheets drop leading zeros. */
const FIRST = 10 ** (DIGITS - 1)

/**
 * Returns the permutation of digits whose key comes from the bank's first secret. A rotated secret must not change account
 * numbers, because payers keep them.
 */
const permutationOf = (config: Secret): DigitPermutation =>
  digitPermutation(derivedKey(firstSecret(config), 'account number'))

/**
 * Repeats a step until the first digit is not zero. The loop ends: a permutation always returns to its start, and the start has
 * no leading zero.
 */
function walk(digits: string, step: (digits: string) => string): string {
  let next = step(digits)
  while (next.startsWith('0')) next = step(next)
  return next
}

/**
 * Returns the account number that payers use and statements show: ten digits and two check digits. It is the ledger's account
 * id, encrypted with the bank's first secret. One account number therefore reveals no other. An account id is never reused.
 */
export function accountNumberOf(config: Secret, accountId: AccountId): string {
  const digits = walk(String(FIRST + accountId), permutationOf(config).forwards)
  return digits + checkDigitsOf(digits)
}

/** Returns the account id that a number encodes; null if its length or check digits are wrong. The account may not exist. */
export function accountIdOf(config: Secret, number: string): AccountId | null {
  if (number.length !== DIGITS + 2 || number.startsWith('0') || !hasCheckDigits(number)) return null
  return Number(walk(number.slice(0, DIGITS), permutationOf(config).backwards)) - FIRST
}
