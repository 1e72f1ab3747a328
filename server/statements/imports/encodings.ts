import type { Encoding } from '#contract/statement-formats.ts'

/** A file's text, what it was read in, and whether it can be nothing else. */
export type Decoded = { text: string; encoding: Encoding; isCertain: boolean }

/** How many words beyond ASCII are looked at. */
const WORDS_MOST = 500

/** Scripts that a word is written in, and how likely a bank's file has them. A word is in one of them. */
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

/** Letters that the languages of each encoding have. A Latin word in the wrong encoding has others. */
const USUAL_LATIN = /[äöüßéèêëàâáãåæçñíìîïóòôõœøúùûýźżćńółąęśčřžšěůďťňőűăâșțğışİ]/iu

/** Accents stand between plain letters. A word of accents alone was written in another script. */
const accentShare = (word: string): number => word.replaceAll(/\p{ASCII}/gu, '').length / word.length

/** Signs that stand by themselves in any language. */
const SIGN = /^[€£¥–—“”‘’„«»•…°§®™·]+$/u

/** How much a word beyond ASCII looks like one that somebody wrote. */
function plausibility(word: string): number {
  if (SIGN.test(word)) return 0.5
  const script = SCRIPTS.find(([pattern]) => pattern.test(word))
  if (!script) return -2
  // 'ÅŸ': a capital letter within a word of small ones.
  if (/\p{Ll}\p{Lu}/u.test(word)) return -1
  if (!/\p{Script=Latin}/u.test(word)) return script[1]
  if (accentShare(word) > 0.75 && word.length > 2) return -1
  const unusual = Array.from(word).filter((letter) => letter > '\u007F' && !USUAL_LATIN.test(letter)).length
  return script[1] - unusual
}

/** Letters, and whatever else stands among them that is not ASCII. */
const WORD = /[\p{L}\p{M}'’\P{ASCII}]+/gu

function plausibilityOf({ text }: Decoded): number {
  const words = (text.match(WORD) ?? []).filter((word) => /\P{ASCII}/u.test(word)).slice(0, WORDS_MOST)
  const total = words.reduce((sum, word) => sum + plausibility(word), 0)
  return total / Math.max(1, words.length)
}

/** Where two encodings of East Asia read equally well, the one that the customer's language is written in. */
const OF_LANGUAGE: Partial<Record<string, readonly Encoding[]>> = {
  zh: ['gb18030', 'big5'],
  ja: ['shift_jis', 'euc-jp'],
}
const OF_LANGUAGE_MORE = 1.2

/**
 * Of the ways to read a file that does not say its encoding, the one whose words look most like written ones; of equals, the
 * first in the order of `ENCODINGS`. Null where there is none. It is never certain: the customer sees what was read and may
 * choose another. `language`: the customer's.
 */
export function unlabelledEncoding(read: readonly Decoded[], language: string): Decoded | null {
  const preferred = OF_LANGUAGE[language] ?? []
  const scored = read.map((decoded) => ({
    decoded,
    score: plausibilityOf(decoded) + (preferred.includes(decoded.encoding) ? OF_LANGUAGE_MORE : 0),
  }))
  return scored.toSorted((a, b) => b.score - a.score)[0]?.decoded ?? null
}
