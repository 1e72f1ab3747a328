const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const ACCENTED = 'åƀçðéƒĝĥîĵķļɱñöþǫřšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŘŠŢÛṼŴẊÝŽ'
const LOOK = new Map(Array.from(PLAIN, (letter, index) => [letter, Array.from(ACCENTED)[index] ?? letter]))

/** A tag that stands for an element of the screen, which no translation changes. */
const TAG = /(<\/?\w+\/?>)/

/** The same text in letters that no English word has, and a third longer, as German is. */
export function pseudoText(text: string): string {
  return text
    .split(TAG)
    .map((part, index) => (index % 2 === 1 ? part : lengthen(Array.from(part, (c) => LOOK.get(c) ?? c).join(''))))
    .join('')
}

/** Every third vowel or so is said again. */
function lengthen(text: string): string {
  let count = 0
  return text.replace(/\p{L}/gu, (letter) => ((count += 1) % 3 === 0 ? letter + letter : letter))
}
