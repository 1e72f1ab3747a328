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
const MIN_LENGTH = 4
const isLongEnough = (name: string): boolean => name.length >= (/\p{Script=Han}/u.test(name) ? 2 : MIN_LENGTH)

/**
 * Returns the part of a normalized text that matches a name: the whole name, or its first word if that is not a common word.
 */
function nameInText(name: string, text: string, common: readonly Finder[]): string | null {
  const normalizedName = normalize(name)
  if (isLongEnough(normalizedName) && text.includes(normalizedName)) return normalizedName
  const [first = ''] = normalizedName.split(' ')
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

/** Returns the full names that a name may mean: exact matches, or else names that contain it as whole words. */
export function matchNames(name: string, goalNames: readonly string[]): string[] {
  const phrase = normalize(name)
  const exact = goalNames.filter((goalName) => normalize(goalName) === phrase)
  return exact.length > 0 ? exact : goalNames.filter((goalName) => ` ${normalize(goalName)} `.includes(` ${phrase} `))
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Makes a pattern that finds the payee at the place of '…' in a pattern of the list `payee`. */
function payeeFinder(pattern: string, payeeNames: readonly string[]): RegExp {
  const [before = '', after = ''] = pattern.split('…').map((part) => escaped(normalize(part)))
  const isSpaced = !IS_UNSPACED.test(pattern)
  // In a language with spaces, the name extends to the next payee phrase, to 'in' or to the end of the sentence.
  const next = payeeNames.map((name) => escaped(normalize(name.replace('…', '')))).join('|')
  const end = isSpaced ? String.raw`(?= (?:${next}|in) |\s*[?!.,;:؟،]|\s*$)` : after
  return new RegExp(`${isSpaced ? String.raw`(?<!\p{L})` : ''}${before}${isSpaced ? ' ' : ''}(.+?)${end}`, 'gu')
}

type Finders = { payee: readonly RegExp[]; spending: readonly Finder[]; known: readonly Finder[] }

const finderCache = new Map<Language, Finders>()

function findersIn(language: Language): Finders {
  const cached = finderCache.get(language)
  if (cached) return cached
  const { payee, intents, categories, kinds } = WORDS[language]
  const patterns = wordsIn(payee)
  const finders = {
    payee: patterns.map((pattern) => payeeFinder(pattern, patterns)),
    spending: findersOf(intents.spending),
    known: [...finderMap(categories), ...finderMap(kinds)].flatMap(([, words]) => words),
  }
  finderCache.set(language, finders)
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
  const payeeName = names.map((words) => withoutNobody(words, language, now)).find((name) => /\p{L}{2}/u.test(name))
  if (payeeName === undefined || known.some(({ find }) => find(`${payeeName} `))) return null
  const start = question.toLowerCase().indexOf(payeeName)
  return (start < 0 ? payeeName : question.slice(start, start + payeeName.length)).slice(0, 80)
}

/** Returns the words without the small words around a name, or an empty text if no name is left. */
function withoutNobody(words: string, language: Language, now: Date): string {
  const { periods, nobody } = WORDS[language]
  const times = Object.values(periods).flatMap(wordsIn)
  const smallWords = wordsIn(nobody).map(normalize)
  const isTime = (text: string): boolean => {
    const { isNamed, isUnread } = parsePeriod(`${text} `, language, now)
    return isNamed || isUnread
  }
  const remaining = times.map(normalize).reduce((text, phrase) => text.replaceAll(phrase, ' '), words)
  if (smallWords.some((word) => IS_UNSPACED.test(word)))
    return isTime(remaining) ? '' : smallWords.reduce((text, word) => text.replaceAll(word, ''), remaining).trim()
  const { spending } = findersIn(language)
  const isName = (word: string) =>
    !smallWords.includes(word) && !spending.some(({ find }) => find(`${word} `)) && !isTime(word)
  const parts = remaining
    .replaceAll(/(?: del?)? \d{4}(?!\d)/g, ' ')
    .split(' ')
    .filter(Boolean)
  // A small word inside a name is part of the name.
  return parts.slice(parts.findIndex(isName), parts.findLastIndex(isName) + 1).join(' ')
}
