import type { Intent, SHOP_KINDS } from '#contract/advisor-terms.ts'
import type { ArticleId } from '#contract/help-texts.ts'
import type { Language } from '#contract/languages.ts'
import ar from '#server/advisor/questions/words/ar.json' with { type: 'json' }
import de from '#server/advisor/questions/words/de.json' with { type: 'json' }
import en from '#server/advisor/questions/words/en.json' with { type: 'json' }
import es from '#server/advisor/questions/words/es.json' with { type: 'json' }
import fr from '#server/advisor/questions/words/fr.json' with { type: 'json' }
import it from '#server/advisor/questions/words/it.json' with { type: 'json' }
import ja from '#server/advisor/questions/words/ja.json' with { type: 'json' }
import nl from '#server/advisor/questions/words/nl.json' with { type: 'json' }
import pl from '#server/advisor/questions/words/pl.json' with { type: 'json' }
import pt from '#server/advisor/questions/words/pt.json' with { type: 'json' }
import zh from '#server/advisor/questions/words/zh.json' with { type: 'json' }
import { IS_UNSPACED, normalize } from '#server/advisor/questions/normalize.ts'

/** The categories that a question may name. */
export const SPENT_ON = ['food', 'shopping', 'transport', 'entertainment', 'bills'] as const
export type SpentOn = (typeof SPENT_ON)[number]

/** The times relative to today. `unread` words ask for a time, or a part of the payments, that no reply covers. */
export const RELATIVE = [
  'this_month',
  'last_month',
  'this_year',
  'last_year',
  'today',
  'yesterday',
  'this_week',
  'last_week',
  'unread',
] as const
export type Relative = (typeof RELATIVE)[number]

/**
 * The words of a language, separated by '|'. A word matches every word that begins with it; '…' matches anything between two
 * words. Accents, capitals and the forms of Arabic letters make no difference.
 */
export type Words = {
  intents: Readonly<Record<Exclude<Intent, 'how_to'>, string>>
  /** Words that ask how to do something. */
  how: string
  articles: Readonly<Partial<Record<ArticleId, string>>>
  categories: Readonly<Record<SpentOn, string>>
  kinds: Readonly<Record<(typeof SHOP_KINDS)[number], string>>
  periods: Readonly<Record<Relative, string>>
  /** Words that begin another question, or a question that continues the previous one. */
  joins: string
  /** Phrases with the payee at the place of '…'. */
  payee: string
  /**
   * Words in the place of a payee that are no payee. They match as whole words; in Chinese and Japanese they match anywhere.
   */
  nobody: string
  /**
   * Words of questions that no reply covers: reasons for a refusal, the bank's own services, and how to cancel other companies'
   * contracts.
   */
  unanswered: string
  /** Words about money. A question without them and without words of the other lists is not about money. */
  about: string
  /** Units of time after a number, which is then no amount of money. */
  times: string
  /** Words after a number that change its value, so that it is not read: '10 thousand', '50 cents'. */
  scales: string
  /** Words that multiply the number before them by a thousand. */
  thousand: string
  /** The months' forms after 'in', January first, where `Intl` writes them differently. */
  months?: string
}

export const WORDS: Readonly<Record<Language, Words>> = { en, es, fr, de, it, pt, nl, pl, zh, ja, ar }

export const wordsIn = (list: string): string[] => list.split('|').filter((word) => word !== '')

/** Finds a word and weighs it. A character of a script without spaces weighs as much as three other letters. */
export type Finder = { find: (text: string) => boolean; weight: number }

const ARABIC = /\p{Script=Arabic}/u
const ENDS_IN_WORD = /[\p{L}\p{N}]$/u

type Part = { word: string; isAnywhere: boolean }

/** A word must match at the beginning of a word in languages with spaces. In Arabic, small words may be joined before it. */
function partOf(entry: string): Part {
  const word = normalize(entry) + (entry.endsWith(' ') ? ' ' : '')
  return { word, isAnywhere: IS_UNSPACED.test(word) || ARABIC.test(word) }
}

/** Returns the position of a word in a text from `from` on, or -1. */
function beginOf({ word, isAnywhere }: Part, text: string, from: number): number {
  for (let start = text.indexOf(word, from); start >= 0; start = text.indexOf(word, start + 1))
    if (isAnywhere || !ENDS_IN_WORD.test(text.slice(Math.max(0, start - 2), start))) return start
  return -1
}

function finderOf(phrase: string): Finder {
  const parts = phrase.split('…').map(partOf)
  const find = (text: string): boolean => {
    let from = 0
    return parts.every((part) => {
      const start = beginOf(part, text, from)
      from = start + part.word.length
      return start >= 0
    })
  }
  const letters = Array.from(parts.map(({ word }) => word).join(''))
  return { find, weight: letters.reduce((sum, letter) => sum + (IS_UNSPACED.test(letter) ? 3 : 1), 0) }
}

export const findersOf = (list: string): readonly Finder[] => wordsIn(list).map(finderOf)

export const scoreOf = (finders: readonly Finder[], text: string): number =>
  finders.reduce((sum, { find, weight }) => sum + (find(text) ? weight : 0), 0)

export type FinderMap<Code extends string> = readonly (readonly [Code, readonly Finder[]])[]

export const finderMap = <Code extends string>(lists: Readonly<Partial<Record<Code, string>>>): FinderMap<Code> =>
  (Object.entries(lists) as [Code, string][]).map(([code, list]) => [code, findersOf(list)])

/** Returns the code with the best score in a text. The code is null if no word matches. */
export function bestOf<Code extends string>(
  finders: FinderMap<Code>,
  text: string,
): { code: Code | null; score: number } {
  let best: { code: Code | null; score: number } = { code: null, score: 0 }
  for (const [code, codeFinders] of finders) {
    const score = scoreOf(codeFinders, text)
    if (score > best.score) best = { code, score }
  }
  return best
}
