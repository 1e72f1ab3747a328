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
import { IS_UNSPACED, normalised } from '#server/advisor/questions/normalise.ts'

/** Categories that a question may name. */
export const SPENT_ON = ['food', 'shopping', 'transport', 'entertainment', 'bills'] as const
export type SpentOn = (typeof SPENT_ON)[number]

/** Times that are named in relation to today; `unread` words ask for a time, or a part of the payments, that no reply is made of. */
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
 * The words of a language, parted by '|'. A word stands for all that begin with it; '…' stands for anything between two of
 * them. Accents, capitals and the forms of Arabic letters make no difference.
 */
export type Words = {
  intents: Readonly<Record<Exclude<Intent, 'how_to'>, string>>
  /** With one of these a question asks how something is done. */
  how: string
  articles: Readonly<Partial<Record<ArticleId, string>>>
  categories: Readonly<Record<SpentOn, string>>
  kinds: Readonly<Record<(typeof SHOP_KINDS)[number], string>>
  periods: Readonly<Record<Relative, string>>
  /** They begin another question, or one that goes on with the question before. */
  joins: string
  /** Where whoever was paid is named: at the '…'. */
  payee: string
  /** What stands there and is nobody: words of the language as a whole, in Chinese and Japanese anywhere. */
  nobody: string
  /** What no reply is made of: why something was refused, what the bank takes for it, and how what others bill is ended. */
  unanswered: string
  /** Without one of these or of the others a question is not about money. */
  about: string
  /** After a number, what is counted in time and is no money. */
  times: string
  /** After a number, what makes it another one and is not read: '10 thousand', '50 cents'. */
  scales: string
  /** What makes a thousand of the number before it. */
  thousand: string
  /** The months as they stand after 'in', January first, where that is not how `Intl` writes them. */
  months?: string
}

export const WORDS: Readonly<Record<Language, Words>> = { en, es, fr, de, it, pt, nl, pl, zh, ja, ar }

export const wordsIn = (list: string): string[] => list.split('|').filter((word) => word !== '')

/** Finds a word, and says how much of it there is: a letter of Chinese is worth several of Latin. */
export type Finder = { find: (text: string) => boolean; weight: number }

const ARABIC = /\p{Script=Arabic}/u
const ENDS_IN_WORD = /[\p{L}\p{N}]$/u

type Part = { word: string; isAnywhere: boolean }

/** Only where a language parts its words does one begin somewhere; Arabic joins small words to the next. */
function partOf(written: string): Part {
  const word = normalised(written) + (written.endsWith(' ') ? ' ' : '')
  return { word, isAnywhere: IS_UNSPACED.test(word) || ARABIC.test(word) }
}

/** Where a word begins in a text, from there on; -1 where it is not there. */
function beginOf({ word, isAnywhere }: Part, text: string, from: number): number {
  for (let at = text.indexOf(word, from); at >= 0; at = text.indexOf(word, at + 1))
    if (isAnywhere || !ENDS_IN_WORD.test(text.slice(Math.max(0, at - 2), at))) return at
  return -1
}

function finderOf(written: string): Finder {
  const parts = written.split('…').map(partOf)
  const find = (text: string): boolean => {
    let from = 0
    return parts.every((part) => {
      const at = beginOf(part, text, from)
      from = at + part.word.length
      return at >= 0
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

/** The one that most of the text speaks for; null where nothing does. */
export function bestOf<Code extends string>(all: FinderMap<Code>, text: string): { code: Code | null; score: number } {
  let found: { code: Code | null; score: number } = { code: null, score: 0 }
  for (const [code, finders] of all) {
    const score = scoreOf(finders, text)
    if (score > found.score) found = { code, score }
  }
  return found
}
