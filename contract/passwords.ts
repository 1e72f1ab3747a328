/** The rule for a new password, as both sides check it: the bank decides, the screens say it early. */

/**
 * More than anybody types, and what the estimate takes a few milliseconds for at worst: its time grows faster than the
 * text, and nothing else is served meanwhile.
 */
const MAX_LOOKED_AT = 48
/** How many readings of a password with digits for letters are tried. */
export const MAX_SPELLINGS = 16
/** zxcvbn's scale of 0 to 4: from here on a password stands ten thousand million guesses, or nearly. */
const SCORE_ENOUGH = 3
/** Shorter names turn up in words by chance. */
const NAME_LENGTH = 4

/** zxcvbn, with its lists of common passwords. */
export type PasswordMeter = { check(password: string, own: string[]): { score: number } }

/** Whose password it is to be; empty where that is not known. */
type Person = { fullName: string; email: string }

/** The names of a person that their password must not be made of, in lower case. */
function namesOf({ fullName, email }: Person): string[] {
  const plain = fullName.normalize('NFKC').toLowerCase()
  const words = plain.split(/\s+/)
  const local = email.slice(0, email.lastIndexOf('@'))
  return [...words, words.join(''), local].filter((name) => name.length >= NAME_LENGTH)
}

/** Counted in code points. */
export const passwordLength = (password: string): number => Array.from(password.normalize('NFKC')).length

/** Whether a password is easy to guess, or says its owner's name or email. */
export function isCommonPassword(meter: PasswordMeter, password: string, person: Person): boolean {
  const points = Array.from(password.normalize('NFKC'))
  const plain = points.join('').toLowerCase()
  const names = namesOf(person)
  if (names.some((name) => plain.includes(name))) return true
  return meter.check(points.slice(0, MAX_LOOKED_AT).join(''), [...names, 'alder']).score < SCORE_ENOUGH
}
