const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const ACCENTED = 'åƀçðéƒĝĥîĵķļɱñöþǫřšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞǪŘŠŢÛṼŴẊÝŽ'
const LOOK = new Map(Array.from(PLAIN, (letter, index) => [letter, Array.from(ACCENTED)[index] ?? letter]))

/** A tag that marks an element of the screen. Translations keep tags unchanged. */
const TAG = /(<\/?\w+\/?>)/

/** Returns the text in letters that no English word has, and a third longer, because German texts are about a third longer. */
export function pseudoText(text: string): string {
  return text
    .split(TAG)
    .map((part, index) => (index % 2 === 1 ? part : lengthen(Array.from(part, (c) => LOOK.get(c) ?? c).join(''))))
    .join('')
}

/** Repeats about every third vowel. */
function lengthen(text: string): string {
  let count = 0
  return text.replace(/\p{L}/gu, (letter) => ((count += 1) % 3 === 0 ? letter + letter : letter))
}
