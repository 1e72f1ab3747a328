/** Takes a while to make, and few names need it. */
let graphemes: Intl.Segmenter | null = null

/** What a person takes for one letter, of however many code points. */
function firstLetter(word: string): string {
  // A mark on the first letter would come second, and is beyond ASCII.
  if (/^[!-~](?:$|[!-~])/.test(word)) return word.charAt(0)
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  const [first] = graphemes.segment(word)
  return first?.segment ?? ''
}

/** The first letters of the first and last name: 'Ann Marie Lee' is 'AL'. */
export function initialsOf(fullName: string): string {
  const words = fullName.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map((word = '') => firstLetter(word))
  return letters.join('').toUpperCase()
}

/** What stands for whom money went to or came from: the initials, or the last two digits of who is known by number alone. */
export function avatarText(name: string): string {
  return /^\p{L}/u.test(name) ? initialsOf(name) : name.replace(/\D/g, '').slice(-2)
}
