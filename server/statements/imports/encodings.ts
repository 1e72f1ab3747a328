import type { Encoding } from '#contract/statement-formats.ts'

/** A file's text and its encoding. `isCertain`: no other encoding is possible. */
export type Decoded = { text: string; encoding: Encoding; isCertain: boolean }

/** The number of non-ASCII words that a guess examines. */
const MAX_WORDS = 500

/**
 * The scripts that a word may have, each with its plausibility in a bank's file. A whole word must match one pattern. Only
 * Japanese mixes scripts.
 */
const SCRIPTS: readonly [RegExp, number][] = [
  [/^[\p{Script=Latin}'’-]+$/u, 2],
  [/^\p{Script=Han}+$/u, 2],
  [/^[\p{Script=Han}\p{Script=Hiragana}\u30A1-\u30FE々〆]+$/u, 2.2],
  [/^\p{Script=Cyrillic}+$/u, 2],
  [/^\p{Script=Greek}+$/u, 2],
  [/^\p{Script=Arabic}+$/u, 2],
  [/^\p{Script=Hebrew}+$/u, 2],
  [/^\p{Script=Hangul}+$/u, 1.5],
  [/^[\uFF61-\uFF9F]+$/u, 1],
]

/**
 * The accented Latin letters of the languages that use these encodings. A Latin word that is read in a wrong encoding contains
 * other letters.
 */
const USUAL_LATIN = /[äöüßéèêëàâáãåæçñíìîïóòôõœøúùûýźżćńółąęśčřžšěůďťňőűăâșțğışİ]/iu

/**
 * Returns the share of non-ASCII letters in a word. In a Latin word, plain letters surround the accented ones. A word of
 * accented letters alone is from another script, read in a wrong encoding.
 */
const accentShare = (word: string): number => word.replaceAll(/\p{ASCII}/gu, '').length / word.length

/** Signs that stand alone in any language. */
const SIGN = /^[€£¥–—“”‘’„«»•…°§®™·]+$/u

/** Returns how plausible a non-ASCII word is as written text. */
function plausibility(word: string): number {
  if (SIGN.test(word)) return 0.5
  const script = SCRIPTS.find(([pattern]) => pattern.test(word))
  if (!script) return -2
  // A capital letter after a small letter, as in 'ÅŸ', is a sign of a wrong encoding.
  if (/\p{Ll}\p{Lu}/u.test(word)) return -1
  if (!/\p{Script=Latin}/u.test(word)) return script[1]
  if (accentShare(word) > 0.75 && word.length > 2) return -1
  const unusual = Array.from(word).filter((letter) => letter > '\u007F' && !USUAL_LATIN.test(letter)).length
  return script[1] - unusual
}

/** A word: letters, with any non-ASCII characters among them. */
const WORD = /[\p{L}\p{M}'’\P{ASCII}]+/gu

function plausibilityOf({ text }: Decoded): number {
  const words = (text.match(WORD) ?? []).filter((word) => /\P{ASCII}/u.test(word)).slice(0, MAX_WORDS)
  const total = words.reduce((sum, word) => sum + plausibility(word), 0)
  return total / Math.max(1, words.length)
}

/** The usual encodings of Chinese and Japanese. For a customer of that language, `OF_LANGUAGE_MORE` is added to their score. */
const OF_LANGUAGE: Partial<Record<string, readonly Encoding[]>> = {
  zh: ['gb18030', 'big5'],
  ja: ['shift_jis', 'euc-jp'],
}
const OF_LANGUAGE_MORE = 1.2

/**
 * Returns the most plausible reading of a file that declares no encoding. Among equals, the first in the order of `ENCODINGS`
 * wins. Returns null for an empty list. The result is never certain: the customer sees the text and may choose another
 * encoding. `language`: the customer's language.
 */
export function unlabelledEncoding(read: readonly Decoded[], language: string): Decoded | null {
  const preferredEncodings = OF_LANGUAGE[language] ?? []
  const scored = read.map((decoded) => ({
    decoded,
    score: plausibilityOf(decoded) + (preferredEncodings.includes(decoded.encoding) ? OF_LANGUAGE_MORE : 0),
  }))
  return scored.toSorted((a, b) => b.score - a.score)[0]?.decoded ?? null
}
