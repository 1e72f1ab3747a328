import type { Language } from '#contract/languages.ts'
import { IS_UNSPACED, normalised } from '#server/advisor/questions/normalise.ts'
import { readPeriod } from '#server/advisor/questions/periods.ts'
import { type Finder, finderMap, findersOf, WORDS, wordsIn } from '#server/advisor/questions/words.ts'

/** Whom a customer has paid, and what they save for, by name. */
export type Known = { payees: readonly string[]; goals: readonly string[] }

/** The least letters of a name that are not there by chance; of a script whose letters are words, fewer. */
const LEAST = 4
const isLongEnough = (name: string): boolean => name.length >= (/\p{Script=Han}/u.test(name) ? 2 : LEAST)

/** Whether a normalised text says a name: all of it, or the word that it begins with, if that is no common one. */
function saidOf(name: string, text: string, common: readonly Finder[]): string | null {
  const whole = normalised(name)
  if (isLongEnough(whole) && text.includes(whole)) return whole
  const [first = ''] = whole.split(' ')
  if (!isLongEnough(first) || !text.includes(first) || common.some(({ find }) => find(`${first} `))) return null
  return new RegExp(String.raw`(?<![\p{Script=Latin}\p{N}])${escaped(first)}(?!\p{Script=Latin})`, 'u').test(text)
    ? first
    : null
}

/** Who is named of those who are known, as the text says it; the longest, where it names several. */
export function knownName(text: string, { payees, goals }: Known, common: readonly Finder[]): string | null {
  const said = [...payees, ...goals].flatMap((name) => saidOf(name, text, common) ?? [])
  return said.toSorted((one, other) => other.length - one.length)[0] ?? null
}

/** Those who may be meant by a name: who is called so, or else who is called so first. */
export function namedSo(name: string, all: readonly string[]): string[] {
  const wanted = normalised(name)
  const exact = all.filter((one) => normalised(one) === wanted)
  return exact.length > 0 ? exact : all.filter((one) => ` ${normalised(one)} `.includes(` ${wanted} `))
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Finds who is named, as a pattern of the list `payee` says. */
function payeeFinder(pattern: string, all: readonly string[]): RegExp {
  const [before = '', after = ''] = pattern.split('…').map((part) => escaped(normalised(part)))
  const isSpaced = !IS_UNSPACED.test(pattern)
  // It goes on until the next of these words, or to the end of the sentence.
  const next = all.map((one) => escaped(normalised(one.replace('…', '')))).join('|')
  const end = isSpaced ? String.raw`(?= (?:${next}|in) |\s*[?!.,;:؟،]|\s*$)` : after
  return new RegExp(`${isSpaced ? String.raw`(?<!\p{L})` : ''}${before}${isSpaced ? ' ' : ''}(.+?)${end}`, 'gu')
}

type Finders = { payee: readonly RegExp[]; spending: readonly Finder[]; known: readonly Finder[] }

const made = new Map<Language, Finders>()

function findersIn(language: Language): Finders {
  const found = made.get(language)
  if (found) return found
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

/** Who is named where those who are paid are, as it was typed; null for a category, a time, or nobody. */
export function unknownName(question: string, language: Language, now: Date): string | null {
  const text = `${normalised(question)} `
  const { payee, known } = findersIn(language)
  const found = payee.flatMap((finder) => [...text.matchAll(finder)].map((match) => match[1] ?? ''))
  const named = found.map((words) => withoutNobody(words, language, now)).find((left) => /\p{L}{2}/u.test(left))
  if (named === undefined || known.some(({ find }) => find(`${named} `))) return null
  const at = question.toLowerCase().indexOf(named)
  return (at < 0 ? named : question.slice(at, at + named.length)).slice(0, 80)
}

/** What is left of the words without those that stand around a name; empty where that is all of them. */
function withoutNobody(words: string, language: Language, now: Date): string {
  const { periods, nobody } = WORDS[language]
  const times = Object.values(periods).flatMap(wordsIn)
  const small = wordsIn(nobody).map(normalised)
  const isTime = (text: string): boolean => {
    const { isNamed, isUnread } = readPeriod(`${text} `, language, now)
    return isNamed || isUnread
  }
  const plain = times.map(normalised).reduce((left, phrase) => left.replaceAll(phrase, ' '), words)
  if (small.some((word) => IS_UNSPACED.test(word)))
    return isTime(plain) ? '' : small.reduce((left, word) => left.replaceAll(word, ''), plain).trim()
  const { spending } = findersIn(language)
  const isName = (word: string) =>
    !small.includes(word) && !spending.some(({ find }) => find(`${word} `)) && !isTime(word)
  const parts = plain
    .replaceAll(/(?: del?)? \d{4}(?!\d)/g, ' ')
    .split(' ')
    .filter(Boolean)
  // A small word within a name is part of it.
  return parts.slice(parts.findIndex(isName), parts.findLastIndex(isName) + 1).join(' ')
}
