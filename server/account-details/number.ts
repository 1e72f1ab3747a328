import { checkDigitsOf, hasCheckDigits } from '#contract/bank-numbers.ts'
import type { AccountId } from '#server/ledger/types.ts'
import { derivedKey, firstSecret, type Secret } from '#server/platform/secrets/derived-key.ts'
import { type DigitPermutation, digitPermutation } from '#server/platform/secrets/digit-permutation.ts'

/** How many digits stand before the two check digits. */
const DIGITS = 10
/** Where the numbers begin: a first zero gets lost in spreadsheets. */
const FIRST = 10 ** (DIGITS - 1)

/** Others have noted it, so it stays with the account whatever secret the bank has. */
const permutationOf = (config: Secret): DigitPermutation =>
  digitPermutation(derivedKey(firstSecret(config), 'account number'))

/** Goes on until the first digit is no zero. It begins where that holds, so it comes back to such a number at the latest. */
function walk(digits: string, step: (digits: string) => string): string {
  let next = step(digits)
  while (next.startsWith('0')) next = step(next)
  return next
}

/**
 * What others pay an account by, and its statements call it: twelve digits, the last two of them check digits. It follows from the
 * ledger's own number for the account, which is never given to another, and from the bank's first secret: so no number tells another.
 */
export function accountNumberOf(config: Secret, accountId: AccountId): string {
  const digits = walk(String(FIRST + accountId), permutationOf(config).forwards)
  return digits + checkDigitsOf(digits)
}

/** Which account a number would be that of; null where its check digits or its length are wrong. There may be no such account. */
export function accountIdOf(config: Secret, number: string): AccountId | null {
  if (number.length !== DIGITS + 2 || number.startsWith('0') || !hasCheckDigits(number)) return null
  return Number(walk(number.slice(0, DIGITS), permutationOf(config).backwards)) - FIRST
}
