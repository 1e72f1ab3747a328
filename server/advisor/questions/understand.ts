import { firstDayOfMonth, monthOf } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { type Intent, SHOP_KINDS } from '#contract/advisor-terms.ts'
import type { ArticleId } from '#contract/help-texts.ts'
import { isLanguage, type Language, LANGUAGE_CODES, SOURCE_LANGUAGE } from '#contract/languages.ts'
import { amountIn } from '#server/advisor/questions/amounts.ts'
import { type Known, knownName, namedSo, unknownName } from '#server/advisor/questions/names.ts'
import { IS_UNSPACED, normalised } from '#server/advisor/questions/normalise.ts'
import { type NamedPeriod, readPeriod } from '#server/advisor/questions/periods.ts'
import { type Ask, ASKS_MOST, NO_DETAILS } from '#server/advisor/questions/selection.ts'
import {
  bestOf,
  type Finder,
  finderMap,
  type FinderMap,
  findersOf,
  scoreOf,
  type SpentOn,
  WORDS,
  wordsIn,
} from '#server/advisor/questions/words.ts'

type ShopKind = (typeof SHOP_KINDS)[number]

/** In which language, when, by whom, and after which other question a question is asked. */
export type Asking = { language: string; now: Date; known: Known; before: Ask | null }

/** What the words of a question name for certain, whatever is asked of it. */
export type Details = {
  category: SpentOn | null
  kind: ShopKind | null
  name: string | null
  /** US cents, signed. */
  amountMinor: number | null
  period: NamedPeriod
}

export type Understood = {
  /** Empty where the rules are not certain what is asked. */
  asks: readonly Ask[]
  details: Details
  isMixed: boolean
  /** What the words come near to, the nearest first. */
  near: readonly Intent[]
  /** Whether a model may help: it is about money, and nothing that the bank refuses to answer. */
  isOpen: boolean
}

type Finders = {
  intents: FinderMap<Exclude<Intent, 'how_to'>>
  articles: FinderMap<ArticleId>
  categories: FinderMap<SpentOn>
  kinds: FinderMap<ShopKind>
  how: readonly Finder[]
  about: readonly Finder[]
  unanswered: readonly Finder[]
  /** Parts a message into its questions. */
  parts: RegExp
  /** Begins one that goes on with the question before. */
  goesOn: RegExp
}

const made = new Map<Language, Finders>()

function findersIn(language: Language): Finders {
  const known = made.get(language)
  if (known) return known
  const { intents, articles, categories, kinds, how, about, unanswered, joins } = WORDS[language]
  const words = wordsIn(joins).toSorted((one, other) => other.length - one.length)
  const any = words.map((word) => word.trim()).join('|')
  const [before, after] = words.some((word) => IS_UNSPACED.test(word))
    ? ['', '']
    : [String.raw`(?<!\p{L})`, String.raw`(?!\p{L})`]
  const finders = {
    intents: finderMap(intents),
    articles: finderMap(articles),
    categories: finderMap(categories),
    kinds: finderMap(kinds),
    how: findersOf(how),
    about: findersOf(about),
    unanswered: findersOf(unanswered),
    parts: new RegExp(String.raw`[?!;؟？！。]+|\.(?=\s)|${before}(?:${any})${after}`, 'iu'),
    goesOn: new RegExp(String.raw`^[\s¿]*(?:${any})${after}`, 'iu'),
  }
  made.set(language, finders)
  return finders
}

/** How many words may stand beside a name that is asked about: of somebody who was paid, and of a savings goal. */
const NAME_WORDS_MOST = { spending: 2, goals: 8 }

type Reading = Details & {
  words: number
  /** The likeliest first. */
  intents: readonly (readonly [Exclude<Intent, 'how_to'>, number])[]
  article: ArticleId | null
  /** Whether it names more than one category. */
  isMixed: boolean
  goesOn: boolean
  /** Whether it asks for something that no reply is made of. */
  isUnanswered: boolean
  /** How much of the text is understood. */
  score: number
}

/** A question without the marks between its words; what stands after the last word lets a keyword end with a space. */
const spoken = (question: string): string =>
  `${normalised(question)
    .replaceAll(/[?!,;:…¿¡؟،؛。？！]+|\.(?=\s|$)/g, ' ')
    .replaceAll(/ +/g, ' ')} `

/** What the bank gives no advice on comes before what it does; 'how much have I' begins questions about other things, too. */
const rankOf = (intent: Intent): number => (intent === 'refused' ? 0 : intent === 'balance' ? 2 : 1)

/** How much of a language a time is, or a word like 'and' at the beginning. */
const TIME_WEIGHT = 5

/** What the words of one language make of a question. */
function readIn(language: Language, question: string, { now, language: own }: Asking): Reading {
  const text = spoken(question)
  const finders = findersIn(language)
  const intents = finders.intents
    .map(([code, words]) => [code, scoreOf(words, text)] as const)
    .filter(([, score]) => score > 0)
    .toSorted(([, one], [, other]) => other - one)
    .toSorted(([one], [other]) => rankOf(one) - rankOf(other))
  const [kind, category] = [bestOf(finders.kinds, text), bestOf(finders.categories, text)]
  const [article, how] = [bestOf(finders.articles, text), scoreOf(finders.how, text)]
  const isHow = article.code !== null && (how > 0 || article.code === 'report_payment')
  const period = readPeriod(text, language, now)
  const goesOn = finders.goesOn.test(question)
  const unanswered = scoreOf(finders.unanswered, text)
  return {
    intents,
    article: isHow ? article.code : null,
    kind: kind.code,
    // What a shop sells is narrower.
    category: kind.code === null ? category.code : null,
    isMixed:
      [...finders.kinds, ...(kind.code === null ? finders.categories : [])].filter(
        ([, words]) => scoreOf(words, text) > 0,
      ).length > 1,
    words: text.split(' ').filter((word) => word !== '').length,
    name: null,
    amountMinor: amountIn(question, isLanguage(own) ? own : SOURCE_LANGUAGE, period.day),
    period,
    goesOn,
    isUnanswered: unanswered > 0,
    score:
      (intents[0]?.[1] ?? 0) +
      kind.score +
      category.score +
      unanswered +
      (period.isNamed ? TIME_WEIGHT : 0) +
      (goesOn ? TIME_WEIGHT : 0) +
      (isHow ? article.score + how : 0),
  }
}

/** People write in the language they think in; where two fit about as well, it is the bank's. */
const LIKELIER: readonly number[] = [1.5, 1.2]

function languageOf(question: string, asking: Asking): Language {
  const own = isLanguage(asking.language) ? asking.language : SOURCE_LANGUAGE
  const all = [...new Set([own, SOURCE_LANGUAGE, ...LANGUAGE_CODES])]
  const scored = all.map(
    (code, index) => [code, readIn(code, question, asking).score * (LIKELIER[index] ?? 1)] as const,
  )
  return scored.reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}

/** Of those that more is said of by another, and of those that are told of with others. */
const GENERAL: ReadonlySet<Intent> = new Set([
  'spending',
  'balance',
  'recent',
  'help',
  'thanks',
  'goals',
  'save_more',
  'cards',
  'add_money',
])
/** How much of the likeliest another may be, before it is not certain which is meant. */
const RIVAL = 0.6

/** Those that are answered of payments by whichever card or none. */
const OF_ALL_WAYS: ReadonlySet<Intent> = new Set(['spending', 'recent', 'largest', 'compare'])

/** Whether two readings are about as likely. */
function isContested([first, ...others]: Reading['intents']): boolean {
  if (!first || first[0] === 'refused') return false
  return others.some(
    ([code, score]) =>
      (code === 'cards' && OF_ALL_WAYS.has(first[0])) ||
      (code === 'compare' && GENERAL.has(first[0])) ||
      (!GENERAL.has(code) && score >= RIVAL * first[1] && !(first[0] === 'payday' && code === 'income')),
  )
}

/** Which details a reply to each question has a place for; of those that are not named here, any. */
const PLACES: Readonly<Partial<Record<Intent, readonly (keyof Details | 'any_time')[]>>> = {
  spending: ['category', 'kind', 'name', 'period'],
  recent: ['category', 'kind', 'name', 'period'],
  largest: ['category', 'kind', 'period'],
  income: ['period'],
  compare: ['category'],
  charge: ['amountMinor', 'name', 'period'],
  afford: ['amountMinor', 'period'],
  goal_what_if: ['amountMinor', 'name', 'any_time'],
  goals: ['name', 'any_time'],
  save_more: ['any_time'],
  reduce_spending: ['any_time'],
  recurring: ['any_time'],
  upcoming: ['any_time'],
  payday: ['any_time'],
  forecast: [],
  balance: [],
  points: [],
  credit: [],
  fees: [],
  safe: [],
}

/** Those that words of a category are part of: 'which bills are due', 'is the shopping card frozen'. */
const ANY_CATEGORY: ReadonlySet<Intent> = new Set(['upcoming', 'recurring', 'reduce_spending', 'charge'])
/** Those that are told of a time still to come. */
const AHEAD: ReadonlySet<Intent> = new Set(['afford', 'forecast', 'upcoming', 'goal_what_if'])
/** Those that a short question may go on with. */
const GOES_ON: ReadonlySet<Intent> = new Set([
  'spending',
  'income',
  'largest',
  'recent',
  'afford',
  'compare',
  'charge',
  'goal_what_if',
])

/** Those that the bank answers although their own words are among the words of what it cannot answer. */
const ANSWERED_ANYWAY: ReadonlySet<Intent> = new Set(['end_loan', 'refused', 'charge', 'fees'])

/** Whether a name is a savings goal's, and nobody's who was paid. */
const isGoal = (name: string | null, { goals, payees }: Known): boolean =>
  name !== null && namedSo(name, goals).length > 0 && namedSo(name, payees).length === 0

/** Whether a question names a savings goal and nothing else, which goes on with no question about payments. */
const isOnlyGoal = ({ name, category, kind }: Reading, before: Ask, known: Known): boolean =>
  category === null && kind === null && before.intent !== 'goal_what_if' && isGoal(name, known)

/** What one part of a question asks; null where that is not certain. */
function askOf(reading: Reading, { before, now, known }: Asking): Ask | null {
  const best = reading.intents[0]?.[0] ?? null
  if (reading.article !== null && best !== 'end_loan')
    return { ...NO_DETAILS, intent: 'how_to', article: reading.article }
  if (reading.isUnanswered && !(best && ANSWERED_ANYWAY.has(best))) return null
  const { category, kind, name, period } = reading
  const named = category !== null || kind !== null || name !== null
  if (
    best === null &&
    before &&
    GOES_ON.has(before.intent) &&
    !isOnlyGoal(reading, before, known) &&
    (named || period.isNamed || reading.amountMinor !== null)
  )
    return fitted(goneOn(before, reading), reading, now)
  // 'How much have I … on food' is about what was spent, and 'how much is in my Vacation Fund' about what is saved.
  const whatNamed = isGoal(name, known) ? 'goals' : 'spending'
  const intent = named && (best === null || best === 'balance') ? whatNamed : best
  if (intent === null || isContested(reading.intents)) return null
  // A name alone is asked about only where little else is said.
  if (best === null && name !== null && !period.isNamed && reading.words > NAME_WORDS_MOST[whatNamed]) return null
  if (
    (reading.isMixed && PLACES[intent]?.includes('category')) ||
    (PLACES[intent] === undefined && reading.period.isNamed)
  )
    return null
  const meant = reading.amountMinor !== null && (intent === 'save_more' || intent === 'goals') ? 'goal_what_if' : intent
  const ask = {
    ...NO_DETAILS,
    intent: meant,
    category,
    kind,
    name,
    amountMinor: reading.amountMinor,
    period: timeOf(meant, period),
  }
  const carries = reading.goesOn && before?.intent === meant && !period.isNamed
  return fitted(carries ? { ...ask, period: before.period } : ask, reading, now)
}

export const timeOf = (intent: Intent, { past, ahead }: NamedPeriod): string | null =>
  AHEAD.has(intent) ? ahead : past

/** The question before, with what this one names instead. */
function goneOn(before: Ask, { category, kind, name, amountMinor, period }: Reading): Ask {
  const what = category !== null || kind !== null || name !== null ? { category, kind, name } : {}
  return {
    ...before,
    ...what,
    ...(amountMinor !== null && { amountMinor }),
    ...(period.isNamed && { period: timeOf(before.intent, period) }),
  }
}

/** The question with what its reply has a place for; null where the words name something that it has none for. */
function fitted(ask: Ask, { period }: Pick<Reading, 'period'>, now: Date): Ask | null {
  const { intent } = ask
  const places = PLACES[intent]
  if (places === undefined) return { ...NO_DETAILS, intent }
  const has = (place: keyof Details | 'any_time') => places.includes(place)
  if (ask.amountMinor !== null && (ask.amountMinor < 0 || !has('amountMinor'))) return null
  if (!ANY_CATEGORY.has(intent) && ((ask.category !== null && !has('category')) || (ask.kind !== null && !has('kind'))))
    return null
  if (ask.name !== null && !has('name')) return null
  if (intent === 'charge' && ask.amountMinor === null && ask.name === null) return null
  if (has('any_time')) return placed(ask, has)
  if (intent === 'compare' && ask.period === monthOf(firstDayOfMonth(now, -1))) return placed(ask, has)
  if (period.isUnread || isBeyond(ask, now)) return null
  if (ask.period !== null && !has('period') && ask.period !== dayOf(now)) return null
  return placed(ask, has)
}

/** Whether a reply to such a question has a place for a detail. */
export const hasPlace = (intent: Intent, place: keyof Details): boolean => PLACES[intent]?.includes(place) ?? false

/** The same of a question that was read by somebody else. */
export const fittedTo = (ask: Ask, { details }: Understood, now: Date): Ask | null =>
  ask.intent === 'how_to' ? { ...NO_DETAILS, intent: ask.intent, article: ask.article } : fitted(ask, details, now)

/** A time that was, of what is still to come, and the other way round. */
function isBeyond({ intent, period }: Ask, now: Date): boolean {
  if (period === null) return false
  const today = dayOf(now).slice(0, period.length)
  return AHEAD.has(intent) ? period < today : period.slice(0, 10) > today
}

const placed = (ask: Ask, has: (place: keyof Details) => boolean): Ask => ({
  ...ask,
  category: has('category') ? ask.category : null,
  kind: has('kind') ? ask.kind : null,
  period: has('period') ? ask.period : null,
})

/** Reads a message as the rules do: nothing is asked where they are not certain. */
export function understand(question: string, asking: Asking): Understood {
  const language = languageOf(question, asking)
  const whole = withName(language, question, asking)
  const { category, kind, name, amountMinor, period } = whole
  const details = { category, kind, name, amountMinor, period }
  const near = whole.intents.map(([code]) => code)
  const refuses = near[0] === 'refused'
  const named = [category, kind, name, amountMinor].some((detail) => detail !== null)
  const isAbout = named || near.length > 0 || scoreOf(findersIn(language).about, spoken(question)) > 0
  const asks = asksIn(question, language, asking) ?? [askOf(whole, asking)]
  const certain = asks.filter((one) => one !== null)
  return { asks: certain, details, isMixed: whole.isMixed, near, isOpen: isAbout && !refuses }
}

/** What a question says beside a name, and who is named: of those who are known, or else where somebody is paid. */
function withName(language: Language, question: string, asking: Asking): Reading {
  const { kinds, categories } = findersIn(language)
  const common = [...kinds, ...categories].flatMap(([, words]) => words)
  const name = knownName(spoken(question), asking.known, common)
  if (name !== null) return { ...readIn(language, without(name, question), asking), name }
  const reading = readIn(language, question, asking)
  const { intents, category, kind, period } = reading
  if (intents[0]?.[0] !== 'spending' || category !== null || kind !== null || period.day !== null) return reading
  const unknown = unknownName(question, language, asking.now)
  // 'On my loan' names nobody.
  const isOther =
    unknown !== null &&
    findersIn(language).intents.some(
      ([code, words]) => code !== 'spending' && scoreOf(words, `${normalised(unknown)} `) > 0,
    )
  return { ...reading, name: unknown, isMixed: isOther }
}

function without(name: string, question: string): string {
  const at = question.toLowerCase().indexOf(name)
  return at < 0 ? question : `${question.slice(0, at)} ${question.slice(at + name.length)}`
}

/** The questions of a message that asks more than one; null where its parts cannot be told apart for certain. */
function asksIn(question: string, language: Language, asking: Asking): Ask[] | null {
  const parts = question.split(findersIn(language).parts).filter((part) => /[\p{L}\p{N}]/u.test(part))
  if (parts.length < 2) return null
  const asks: Ask[] = []
  const isTimed: boolean[] = []
  for (const part of parts) {
    const reading = withName(language, part, asking)
    const ask = askOf(reading, { ...asking, before: asks.at(-1) ?? asking.before })
    if (ask === null) return null
    asks.push(ask)
    isTimed.push(reading.period.isNamed)
  }
  // What is said of the time in one part is meant of those that say nothing of it.
  const time = asks.find((_, index) => isTimed[index])?.period ?? null
  const all = asks.map((ask, index) =>
    !isTimed[index] && PLACES[ask.intent]?.includes('period') ? { ...ask, period: ask.period ?? time } : ask,
  )
  const different = all.filter(
    (ask, index) => all.findIndex((one) => JSON.stringify(one) === JSON.stringify(ask)) === index,
  )
  return different.length <= ASKS_MOST ? different : null
}
