import { graphemesOf } from '#contract/graphemes.ts'

function firstLetter(word: string): string {
  // A mark on the first letter would come second, and is beyond ASCII.
  if (/^[!-~](?:$|[!-~])/.test(word)) return word.charAt(0)
  return graphemesOf(word)[0] ?? ''
}

/** The first letters of the first and last name: 'Ann Marie Lee' is 'AL'. */
export function initialsOf(fullName: string): string {
  const words = fullName.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map((word = '') => firstLetter(word))
  return letters.join('').toUpperCase()
}

/** What a person is greeted by. */
export const firstNameOf = (fullName: string): string => fullName.trim().split(/\s+/)[0] ?? ''

/** What stands for whom money went to or came from: the initials, or the last two digits of who is known by number alone. */
export function avatarText(name: string): string {
  return /^\p{L}/u.test(name) ? initialsOf(name) : name.replace(/\D/g, '').slice(-2)
}
