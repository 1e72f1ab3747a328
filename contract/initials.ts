import { graphemesOf } from '#contract/graphemes.ts'

function firstLetter(word: string): string {
  // If the first two code units are ASCII, the first one is the whole character: a combining mark, which would come second, is
  // not ASCII.
  if (/^[!-~](?:$|[!-~])/.test(word)) return word.charAt(0)
  return graphemesOf(word)[0] ?? ''
}

/** Returns the first letters of the first and the last name: 'Ann Marie Lee' becomes 'AL'. */
export function initialsOf(fullName: string): string {
  const words = fullName.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map((word = '') => firstLetter(word))
  return letters.join('').toUpperCase()
}

export const firstNameOf = (fullName: string): string => fullName.trim().split(/\s+/)[0] ?? ''

/** Returns the text of an avatar: a person's initials, or the last two digits of a phone or account number. */
export function avatarText(name: string): string {
  return /^\p{L}/u.test(name) ? initialsOf(name) : name.replace(/\D/g, '').slice(-2)
}
