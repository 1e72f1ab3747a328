import { intlLocale, isLanguage } from '#contract/languages.ts'
import { amountIn } from '#server/advisor/questions/amounts.ts'
import { ar } from '#server/advisor/questions/keywords/ar.ts'
import { de } from '#server/advisor/questions/keywords/de.ts'
import { en } from '#server/advisor/questions/keywords/en.ts'
import { es } from '#server/advisor/questions/keywords/es.ts'
import { fr } from '#server/advisor/questions/keywords/fr.ts'
import { type Intent, INTENTS, SPENT_ON } from '#server/advisor/questions/keywords/intents.ts'
import { it } from '#server/advisor/questions/keywords/it.ts'
import { ja } from '#server/advisor/questions/keywords/ja.ts'
import type { Keywords } from '#server/advisor/questions/keywords/keywords.ts'
import { nl } from '#server/advisor/questions/keywords/nl.ts'
import { pl } from '#server/advisor/questions/keywords/pl.ts'
import { pt } from '#server/advisor/questions/keywords/pt.ts'
import { zh } from '#server/advisor/questions/keywords/zh.ts'
import { IS_UNSPACED, normalised } from '#server/advisor/questions/normalise.ts'

export type SpentOn = (typeof SPENT_ON)[number]

/** What a question asks for, as far as its words say. */
export type Understood = {
  /** Null where none of the words is known. */
  intent: Intent | null
  category: SpentOn | null
  amountMinor: number | null
  /** How many months back the month lies that it names; null where it names none. */
  monthsBack: number | null
}

/** @public */
export const KEYWORDS: Readonly<Record<string, Keywords>> = { en, es, fr, de, it, pt, nl, pl, zh, ja, ar }

/** Finds a word, and says how much of it there is: a letter of Chinese is worth several of Latin. */
type Finder = { find: (text: string) => boolean; weight: number }

const ARABIC = /\p{Script=Arabic}/u

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

function finderOf(word: string): Finder {
  const parts = word.split('…').map((part) => normalised(part))
  // Only where a language parts its words does one begin somewhere; Arabic joins small words to the next.
  const pattern = parts
    .map((part) => (IS_UNSPACED.test(part) || ARABIC.test(part) ? '' : String.raw`(?<![\p{L}\p{N}])`) + escaped(part))
    .join('.*?')
  const expression = new RegExp(pattern, 'u')
  const weight = Array.from(parts.join('')).reduce((sum, letter) => sum + (IS_UNSPACED.test(letter) ? 3 : 1), 0)
  return { find: (text) => expression.test(text), weight }
}

type Finders = {
  intents: ReadonlyMap<Intent, readonly Finder[]>
  categories: ReadonlyMap<SpentOn, readonly Finder[]>
  lastMonth: readonly Finder[]
}

const made = new Map<string, Finders>()

function findersOf(language: string): Finders {
  const known = made.get(language)
  if (known) return known
  const words = KEYWORDS[language] ?? en
  const finders = {
    intents: new Map(INTENTS.map((intent) => [intent, words.intents[intent].map(finderOf)])),
    categories: new Map(SPENT_ON.map((category) => [category, words.categories[category].map(finderOf)])),
    lastMonth: words.lastMonth.map(finderOf),
  }
  made.set(language, finders)
  return finders
}

const scoreOf = (finders: readonly Finder[], text: string): number =>
  finders.reduce((sum, { find, weight }) => sum + (find(text) ? weight : 0), 0)

type Best<Code> = { code: Code | null; score: number }

/** The one that most of the text speaks for; null where nothing does. */
function best<Code>(all: ReadonlyMap<Code, readonly Finder[]>, text: string): Best<Code> {
  let found: Best<Code> = { code: null, score: 0 }
  for (const [code, finders] of all) {
    const score = scoreOf(finders, text)
    if (score > found.score) found = { code, score }
  }
  return found
}

/** What the words of one language make of a text, and how much of it they are. */
function readIn(language: string, text: string) {
  const finders = findersOf(language)
  const [intent, category] = [best(finders.intents, text), best(finders.categories, text)]
  const isLast = scoreOf(finders.lastMonth, text) > 0
  return { language, intent: intent.code, category: category.code, isLast, score: intent.score + category.score }
}

/**
 * Reads a question by the words of the customer's language; where it has none of those, by those of English, and then of
 * whichever other has the most: people write in the language they think in.
 */
export function understand(question: string, spoken: string, now: Date): Understood {
  // What stands after the last word lets a keyword end with a space.
  const text = `${normalised(question)} `
  const own = Object.hasOwn(KEYWORDS, spoken) ? spoken : 'en'
  const likely = [own, 'en'].map((language) => readIn(language, text)).find(({ score }) => score > 0)
  const read = likely ?? mostRead(text, own)
  if (!read) return { intent: null, category: null, amountMinor: null, monthsBack: null }
  const amountMinor = amountIn(question, own)
  const monthsBack = read.isLast ? 1 : namedMonth(text, read.language, now)
  return { intent: meant(read.intent, amountMinor), category: read.category, amountMinor, monthsBack }
}

function mostRead(text: string, own: string): ReturnType<typeof readIn> | null {
  const others = Object.keys(KEYWORDS).filter((language) => language !== own && language !== 'en')
  const [most] = others.map((language) => readIn(language, text)).toSorted((one, other) => other.score - one.score)
  return most && most.score > 0 ? most : null
}

/** With an amount, saving is a what-if: when would that be enough? */
function meant(intent: Intent | null, amountMinor: number | null): Intent {
  if (intent === null) return 'spending'
  if (amountMinor !== null && (intent === 'save_more' || intent === 'goals')) return 'goal_what_if'
  return intent
}

const MONTHS = 12

/** The months by name: how many months ago the latest of that name was. */
function namedMonth(text: string, language: string, now: Date): number | null {
  const locale = isLanguage(language) ? intlLocale(language) : language
  const named = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' })
  for (let back = 0; back < MONTHS; back += 1) {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
    if (monthFinder(normalised(named.format(month))).test(text)) return back
  }
  return null
}

function monthFinder(name: string): RegExp {
  // '1月' is also the end of '11月'.
  if (IS_UNSPACED.test(name)) return new RegExp(String.raw`(?<!\d)${name}`, 'u')
  // 'may' is also another word.
  if (name === 'may') return /(?<!\p{L})(?:in|of|for|since|last) may(?!\p{L})/u
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:في |ال)?${escaped(name)}(?!\p{L})`, 'u')
}
