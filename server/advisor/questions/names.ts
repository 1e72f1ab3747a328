import type { Language } from '#contract/languages.ts'
import { IS_UNSPACED, normalize } from '#server/advisor/questions/normalize.ts'
import { parsePeriod } from '#server/advisor/questions/periods.ts'
import { type Finder, finderMap, findersOf, WORDS, wordsIn } from '#server/advisor/questions/words.ts'

/** The names of a customer's payees and savings goals. */
export type KnownNames = { payees: readonly string[]; goals: readonly string[] }

/**
 * The length of the shortest name that is unlikely to match by chance, in characters. Names in Chinese characters may be
 * shorter.
 */
const LEAST = 4
const isLongEnough = (name: string): boolean => name.length >= (/\p{Script=Han}/u.test(name) ? 2 : LEAST)

/**
 * Returns the part of a normalized text that matches a name: the whole name, or its first word if that is not a common word.
 */
function nameInText(name: string, text: string, common: readonly Finder[]): string | null {
  const whole = normalize(name)
  if (isLongEnough(whole) && text.includes(whole)) return whole
  const [first = ''] = whole.split(' ')
  if (!isLongEnough(first) || !text.includes(first) || common.some(({ find }) => find(`${first} `))) return null
  return new RegExp(String.raw`(?<![\p{Script=Latin}\p{N}])${escaped(first)}(?!\p{Script=Latin})`, 'u').test(text)
    ? first
    : null
}

/** Returns the known name in a text, as written there. Of several names it returns the longest. */
export function findKnownName(text: string, { payees, goals }: KnownNames, common: readonly Finder[]): string | null {
  const namesFound = [...payees, ...goals].flatMap((name) => nameInText(name, text, common) ?? [])
  return namesFound.toSorted((name, other) => other.length - name.length)[0] ?? null
}

/** Returns the full names that a name may mean: exact matches, or else names that begin with it. */
export function matchNames(name: string, all: readonly string[]): string[] {
  const phrase = normalize(name)
  const exact = all.filter((goalName) => normalize(goalName) === phrase)
  return exact.length > 0 ? exact : all.filter((goalName) => ` ${normalize(goalName)} `.includes(` ${phrase} `))
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Makes a pattern that finds the payee at the place of '…' in a pattern of the list `payee`. */
function payeeFinder(pattern: string, all: readonly string[]): RegExp {
  const [before = '', after = ''] = pattern.split('…').map((part) => escaped(normalize(part)))
  const isSpaced = !IS_UNSPACED.test(pattern)
  // The name extends to the next of these words or to the end of the sentence.
  const next = all.map((name) => escaped(normalize(name.replace('…', '')))).join('|')
  const end = isSpaced ? String.raw`(?= (?:${next}|in) |\s*[?!.,;:؟،]|\s*$)` : after
  return new RegExp(`${isSpaced ? String.raw`(?<!\p{L})` : ''}${before}${isSpaced ? ' ' : ''}(.+?)${end}`, 'gu')
}

type Finders = { payee: readonly RegExp[]; spending: readonly Finder[]; known: readonly Finder[] }

const made = new Map<Language, Finders>()

function findersIn(language: Language): Finders {
  const cached = made.get(language)
  if (cached) return cached
  const { payee, intents, categories, kinds } = WORDS[language]
  const patterns = wordsIn(payee)
  const finders = {
    payee: patterns.map((pattern) => payeeFinder(pattern, patterns)),
    spending: findersOf(intents.spending),
    known: [...finderMap(categories), ...finderMap(kinds)].flatMap(([, words]) => words),
  }
  made.set(language, finders)
  return finders
}

/**
 * Returns an unknown payee's name as typed in the question. Returns null if the words there mean a category, a time or no
 * person.
 */
export function findUnknownName(question: string, language: Language, now: Date): string | null {
  const text = `${normalize(question)} `
  const { payee, known } = findersIn(language)
  const names = payee.flatMap((finder) => [...text.matchAll(finder)].map((match) => match[1] ?? ''))
  const named = names.map((words) => withoutNobody(words, language, now)).find((left) => /\p{L}{2}/u.test(left))
  if (named === undefined || known.some(({ find }) => find(`${named} `))) return null
  const at = question.toLowerCase().indexOf(named)
  return (at < 0 ? named : question.slice(at, at + named.length)).slice(0, 80)
}

/** Returns the words without the small words around a name, or an empty text if no name is left. */
function withoutNobody(words: string, language: Language, now: Date): string {
  const { periods, nobody } = WORDS[language]
  const times = Object.values(periods).flatMap(wordsIn)
  const small = wordsIn(nobody).map(normalize)
  const isTime = (text: string): boolean => {
    const { isNamed, isUnread } = parsePeriod(`${text} `, language, now)
    return isNamed || isUnread
  }
  const remaining = times.map(normalize).reduce((left, phrase) => left.replaceAll(phrase, ' '), words)
  if (small.some((word) => IS_UNSPACED.test(word)))
    return isTime(remaining) ? '' : small.reduce((left, word) => left.replaceAll(word, ''), remaining).trim()
  const { spending } = findersIn(language)
  const isName = (word: string) =>
    !small.includes(word) && !spending.some(({ find }) => find(`${word} `)) && !isTime(word)
  const parts = remaining
    .replaceAll(/(?: del?)? \d{4}(?!\d)/g, ' ')
    .split(' ')
    .filter(Boolean)
  // A small word inside a name is part of the name.
  return parts.slice(parts.findIndex(isName), parts.findLastIndex(isName) + 1).join(' ')
}
