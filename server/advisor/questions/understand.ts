import { intlLocale, isLanguage, type Language, LANGUAGE_CODES, SOURCE_LANGUAGE } from '#contract/languages.ts'
import { amountIn, yearIn } from '#server/advisor/questions/amounts.ts'
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
  /** US cents, signed. */
  amountMinor: number | null
  /** How many months back the month lies that it names; null where it names none. */
  monthsBack: number | null
  /** Whether it names the year of that month. */
  isYearNamed: boolean
  /** Whether it names a day, a week, a whole year or a month that is still to come. */
  isOtherPeriod: boolean
  /** Who was paid, as far as its words name somebody; of those who are known, see `spentAtReply`. */
  payee: string | null
}

/** @public */
export const KEYWORDS: Readonly<Record<Language, Keywords>> = { en, es, fr, de, it, pt, nl, pl, zh, ja, ar }

/** Finds a word, and says how much of it there is: a letter of Chinese is worth several of Latin. */
type Finder = { find: (text: string) => boolean; weight: number }

const ARABIC = /\p{Script=Arabic}/u

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** One pattern for all words: each with one of its own took the bank seconds to make, at the first question that needed them. */
const ENDS_IN_WORD = /[\p{L}\p{N}]$/u

/** Where a word begins in a text, from there on; -1 where it is not there. */
function beginOf(word: string, text: string, from: number): number {
  // Only where a language parts its words does one begin somewhere; Arabic joins small words to the next.
  const isAnywhere = IS_UNSPACED.test(word) || ARABIC.test(word)
  for (let at = text.indexOf(word, from); at >= 0; at = text.indexOf(word, at + 1))
    if (isAnywhere || !ENDS_IN_WORD.test(text.slice(Math.max(0, at - 2), at))) return at
  return -1
}

function finderOf(word: string): Finder {
  const parts = word.split('…').map((part) => normalised(part))
  const find = (text: string): boolean => {
    let from = 0
    return parts.every((part) => {
      const at = beginOf(part, text, from)
      from = at + part.length
      return at >= 0
    })
  }
  const weight = Array.from(parts.join('')).reduce((sum, letter) => sum + (IS_UNSPACED.test(letter) ? 3 : 1), 0)
  return { find, weight }
}

/** Finds who is named, as a pattern of `Keywords` says. */
function payeeFinder(pattern: string, all: readonly string[]): RegExp {
  const [before = '', after = ''] = pattern.split('…').map((part) => escaped(normalised(part)))
  const isSpaced = !IS_UNSPACED.test(pattern)
  // It goes on until the next of these words, or to the end of the sentence.
  const next = all.map((one) => escaped(normalised(one.replace('…', '')))).join('|')
  const end = isSpaced ? String.raw`(?= (?:${next}|in) |\s*[?!.,;:؟،]|\s*$)` : after
  return new RegExp(`${isSpaced ? String.raw`(?<!\p{L})` : ''}${before}${isSpaced ? ' ' : ''}(.+?)${end}`, 'gu')
}

type Finders = {
  intents: ReadonlyMap<Intent, readonly Finder[]>
  categories: ReadonlyMap<SpentOn, readonly Finder[]>
  lastMonth: readonly Finder[]
  otherPeriods: readonly Finder[]
  payee: readonly RegExp[]
  /** January first. */
  months: readonly (readonly RegExp[])[]
}

const MONTHS = 12

const made = new Map<Language, Finders>()

function findersOf(language: Language): Finders {
  const known = made.get(language)
  if (known) return known
  const words = KEYWORDS[language]
  const finders = {
    intents: new Map(INTENTS.map((intent) => [intent, words.intents[intent].map(finderOf)])),
    categories: new Map(SPENT_ON.map((category) => [category, words.categories[category].map(finderOf)])),
    lastMonth: words.lastMonth.map(finderOf),
    otherPeriods: words.otherPeriods.map(finderOf),
    payee: words.payee.map((pattern) => payeeFinder(pattern, words.payee)),
    months: Array.from({ length: MONTHS }, (_, month) => namesOf(month, language).map(monthFinder)),
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
function readIn(language: Language, text: string) {
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
  const own = isLanguage(spoken) ? spoken : SOURCE_LANGUAGE
  const likely = [own, SOURCE_LANGUAGE].map((language) => readIn(language, text)).find(({ score }) => score > 0)
  const read = likely ?? mostRead(text, own)
  if (!read) return NOTHING
  const amountMinor = amountIn(question, own)
  const year = yearIn(question)
  const monthsBack = read.isLast ? 1 : monthMeant(namedMonth(text, read.language, now), year, now)
  const isOther = scoreOf(findersOf(read.language).otherPeriods, text) > 0
  return {
    intent: meant(read.intent, amountMinor),
    category: read.category,
    amountMinor,
    monthsBack,
    isYearNamed: year !== null,
    isOtherPeriod: isOther || (monthsBack ?? 0) < 0 || (year !== null && (monthsBack === null || read.isLast)),
    payee: asTyped(namedPayee(text, read.language, now), question),
  }
}

/** With the capitals that it was typed with. */
function asTyped(words: string | null, question: string): string | null {
  const at = words === null ? -1 : question.toLowerCase().indexOf(words)
  return words === null || at < 0 ? words : question.slice(at, at + words.length)
}

const NOTHING: Understood = {
  intent: null,
  category: null,
  amountMinor: null,
  monthsBack: null,
  isYearNamed: false,
  isOtherPeriod: false,
  payee: null,
}

function mostRead(text: string, own: Language): ReturnType<typeof readIn> | null {
  const others = LANGUAGE_CODES.filter((language) => language !== own && language !== SOURCE_LANGUAGE)
  const [most] = others.map((language) => readIn(language, text)).toSorted((one, other) => other.score - one.score)
  return most && most.score > 0 ? most : null
}

/** With an amount, saving is a what-if: when would that be enough? */
function meant(intent: Intent | null, amountMinor: number | null): Intent {
  if (intent === null) return 'spending'
  if (amountMinor !== null && (intent === 'save_more' || intent === 'goals')) return 'goal_what_if'
  return intent
}

/** The months by name: how many months ago the latest of that name was. */
function namedMonth(text: string, language: Language, now: Date): number | null {
  const { months } = findersOf(language)
  const back = months.keys().find((one) => {
    const month = (now.getUTCMonth() - one + MONTHS) % MONTHS
    return months[month]?.some((name) => name.test(text))
  })
  return back ?? null
}

/** The same in the year that is named, too: below zero where it is still to come. */
const monthMeant = (back: number | null, year: number | null, now: Date): number | null => {
  if (back === null || year === null) return back
  const latest = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).getUTCFullYear()
  return back + (latest - year) * MONTHS
}

/** What a month is called, 0 for January: alone, beside a day, after 'in', and where it has a number, by that. */
function namesOf(month: number, language: Language): string[] {
  const first = new Date(Date.UTC(2026, month, 1))
  const alone = new Intl.DateTimeFormat(intlLocale(language), { month: 'long', timeZone: 'UTC' })
  const beside = new Intl.DateTimeFormat(intlLocale(language), { month: 'long', day: 'numeric', timeZone: 'UTC' })
  const name = alone.format(first)
  const names = [
    name,
    beside.formatToParts(first).find(({ type }) => type === 'month')?.value ?? name,
    KEYWORDS[language].inMonth?.[month] ?? name,
    IS_UNSPACED.test(name) ? `${month + 1}月` : name,
  ]
  return [...new Set(names.map(normalised))].filter((one) => /\p{L}/u.test(one))
}

function monthFinder(name: string): RegExp {
  // '1月' is also the end of '11月', and '二月' of '十二月'.
  if (IS_UNSPACED.test(name)) return new RegExp(String.raw`(?<![\d十])${name}`, 'u')
  // 'may' is also another word.
  if (name === 'may') return /(?<!\p{L})(?:in|of|for|since|last) may(?!\p{L})|(?<!\p{L})may \d{4}(?!\d)/u
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:في |ال)?${escaped(name)}(?!\p{L})`, 'u')
}

/** Who is named where those who are paid are; null for a category, a time, or nobody. */
function namedPayee(text: string, language: Language, now: Date): string | null {
  const { payee, categories, otherPeriods } = findersOf(language)
  const known = [...[...categories.values()].flat(), ...otherPeriods]
  const found = payee.flatMap((finder) => [...text.matchAll(finder)].map((match) => match[1] ?? ''))
  const named = found.map((words) => withoutNobody(words, language, now)).find((left) => /\p{L}{2}/u.test(left))
  return named === undefined || known.some(({ find }) => find(`${named} `)) ? null : named
}

/** What is left of the words without those that stand around a name; empty where that is all of them. */
function withoutNobody(words: string, language: Language, now: Date): string {
  const { lastMonth, nobody } = KEYWORDS[language]
  const plain = lastMonth.map(normalised).reduce((left, phrase) => left.replaceAll(phrase, ' '), words)
  const small = nobody.map(normalised)
  if (small.some((word) => IS_UNSPACED.test(word)))
    return namedMonth(plain, language, now) === null
      ? small.reduce((left, word) => left.replaceAll(word, ''), plain).trim()
      : ''
  const isSpending = (word: string) =>
    (findersOf(language).intents.get('spending') ?? []).some(({ find }) => find(word))
  const isName = (word: string) =>
    !small.includes(word) && !isSpending(word) && namedMonth(word, language, now) === null
  const parts = plain
    .replaceAll(/(?: del?)? \d{4}(?!\d)/g, ' ')
    .split(' ')
    .filter(Boolean)
  // A small word within a name is part of it.
  return parts.slice(parts.findIndex(isName), parts.findLastIndex(isName) + 1).join(' ')
}
