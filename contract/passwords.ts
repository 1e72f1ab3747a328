/** This file has the rule for new passwords. The screens check the rule early, and the server makes the decision. */

/**
 * The maximum number of characters from which the strength of a password is estimated. The time of the estimate grows faster
 * than the number of characters, and the estimate blocks the event loop. With this limit, it takes a few milliseconds at most.
 */
const MAX_ESTIMATED_LENGTH = 48
/**
 * The maximum number of spellings of a password that zxcvbn compares with its lists. A spelling has letters in place of digits
 * and symbols. Example: `pass` is a spelling of `p4ss`.
 */
export const MAX_SPELLINGS = 16
/** The lowest accepted score on zxcvbn's scale of 0 to 4. A password with score 3 takes more than a hundred million guesses. */
const MIN_SCORE = 3
/** The minimum length of a name that a password must not contain. Shorter names are part of other words by chance. */
const MIN_NAME_LENGTH = 4

/** The interface of the library zxcvbn with its lists of common passwords. */
export type PasswordMeter = { check(password: string, ownNames: string[]): { score: number } }

/** The owner of a password. A text is empty if it is unknown. */
type Person = { fullName: string; email: string }

/** Returns the names of a person, in lower case, that a password must not contain. */
function namesOf({ fullName, email }: Person): string[] {
  const normalizedName = fullName.normalize('NFKC').toLowerCase()
  const words = normalizedName.split(/\s+/)
  const local = email.slice(0, email.lastIndexOf('@'))
  return [...words, words.join(''), local].filter((name) => name.length >= MIN_NAME_LENGTH)
}

/** Returns the length of a password in code points. */
export const passwordLength = (password: string): number => Array.from(password.normalize('NFKC')).length

/**
 * Returns whether the bank refuses a password as `password_common`: it is easy to guess, or it contains a name of its owner or
 * the first part of their email address.
 */
export function isCommonPassword(meter: PasswordMeter, password: string, person: Person): boolean {
  const codePoints = Array.from(password.normalize('NFKC'))
  const normalizedPassword = codePoints.join('').toLowerCase()
  const names = namesOf(person)
  if (names.some((name) => normalizedPassword.includes(name))) return true
  return meter.check(codePoints.slice(0, MAX_ESTIMATED_LENGTH).join(''), [...names, 'alder']).score < MIN_SCORE
}
