import { firstDayOfMonth, monthOf } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { type Intent, SHOP_KINDS } from '#contract/advisor-terms.ts'
import type { ArticleId } from '#contract/help-texts.ts'
import { isLanguage, type Language, LANGUAGE_CODES, SOURCE_LANGUAGE } from '#contract/languages.ts'
import { amountIn } from '#server/advisor/questions/amounts.ts'
import { type KnownNames, findKnownName, matchNames, findUnknownName } from '#server/advisor/questions/names.ts'
import { IS_UNSPACED, normalize } from '#server/advisor/questions/normalize.ts'
import { type NamedPeriod, parsePeriod } from '#server/advisor/questions/periods.ts'
import { type AdvisorAsk, MAX_ASKS, NO_DETAILS } from '#server/advisor/questions/selection.ts'
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

/** The context of a question: language, time, the customer's known names, and the previous question. */
export type QuestionContext = { language: string; now: Date; known: KnownNames; before: AdvisorAsk | null }

/** The details that the question's words name with certainty, for any kind of question. */
export type QuestionDetails = {
  category: SpentOn | null
  kind: ShopKind | null
  name: string | null
  /** The amount in signed US cents. Null if the words name none. */
  amountMinor: number | null
  period: NamedPeriod
}

export type UnderstoodQuestion = {
  /** The questions in the message. Empty if the rules are not certain. */
  asks: readonly AdvisorAsk[]
  details: QuestionDetails
  isMixed: boolean
  /** The kinds of question that the words match, best match first. */
  near: readonly Intent[]
  /** Whether a model may help: the question is about money, and the bank does not refuse to answer it. */
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
  /** Matches the text between two questions of a message. */
  parts: RegExp
  /** Matches the beginning of a question that continues the previous one. */
  goesOn: RegExp
}

const finderCache = new Map<Language, Finders>()

function findersIn(language: Language): Finders {
  const cached = finderCache.get(language)
  if (cached) return cached
  const { intents, articles, categories, kinds, how, about, unanswered, joins } = WORDS[language]
  const words = wordsIn(joins).toSorted((word, other) => other.length - word.length)
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
  finderCache.set(language, finders)
  return finders
}

/**
 * The largest number of words in a short question that consists of a name: of a payee (`spending`) or of a savings goal
 * (`goals`).
 */
const MAX_NAME_WORDS = { spending: 2, goals: 8 }

type Reading = QuestionDetails & {
  words: number
  /** The possible kinds of question, most likely first. */
  intents: readonly (readonly [Exclude<Intent, 'how_to'>, number])[]
  article: ArticleId | null
  /** Whether the question names more than one category or kind of shop, or another topic in the place of a payee. */
  isMixed: boolean
  goesOn: boolean
  /** Whether the question asks for something that no reply covers. */
  isUnanswered: boolean
  /** The total weight of the words that are understood. It decides the language of the question. */
  score: number
}

/** Returns a question without the punctuation between its words. The final space lets keywords end with a space. */
const spoken = (question: string): string =>
  `${normalize(question)
    .replaceAll(/[?!,;:…¿¡؟،؛。？！]+|\.(?=\s|$)/g, ' ')
    .replaceAll(/ +/g, ' ')} `

/**
 * Returns the rank of a kind of question; lower ranks win. Refused topics come first. The balance comes last, because 'how much
 * have I' also begins other questions.
 */
const rankOf = (intent: Intent): number => (intent === 'refused' ? 0 : intent === 'balance' ? 2 : 1)

/** The weight of a time, or of a word like 'and' at the beginning, in choosing the language. */
const TIME_WEIGHT = 5

/** Reads a question with the words of one language. */
function readIn(language: Language, question: string, { now, language: appLanguage }: QuestionContext): Reading {
  const text = spoken(question)
  const finders = findersIn(language)
  const intents = finders.intents
    .map(([code, words]) => [code, scoreOf(words, text)] as const)
    .filter(([, score]) => score > 0)
    .toSorted(([, one], [, other]) => other - one)
    .toSorted(([one], [other]) => rankOf(one) - rankOf(other))
  const [kind, category] = [bestOf(finders.kinds, text), bestOf(finders.categories, text)]
  const [article, howScore] = [bestOf(finders.articles, text), scoreOf(finders.how, text)]
  const isHow = article.code !== null && (howScore > 0 || article.code === 'report_payment')
  const period = parsePeriod(text, language, now)
  const goesOn = finders.goesOn.test(question)
  const unanswered = scoreOf(finders.unanswered, text)
  return {
    intents,
    article: isHow ? article.code : null,
    kind: kind.code,
    // The kind of shop is narrower than the category, so it replaces the category.
    category: kind.code === null ? category.code : null,
    isMixed:
      [...finders.kinds, ...(kind.code === null ? finders.categories : [])].filter(
        ([, words]) => scoreOf(words, text) > 0,
      ).length > 1,
    words: text.split(' ').filter((word) => word !== '').length,
    name: null,
    amountMinor: amountIn(question, isLanguage(appLanguage) ? appLanguage : SOURCE_LANGUAGE, period.day),
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
      (isHow ? article.score + howScore : 0),
  }
}

/**
 * The factors that favor the app's language and English. People may write in another language; if two match about equally, the
 * app's language wins.
 */
const LIKELIER: readonly number[] = [1.5, 1.2]

function languageOf(question: string, context: QuestionContext): Language {
  const language = isLanguage(context.language) ? context.language : SOURCE_LANGUAGE
  const languages = [...new Set([language, SOURCE_LANGUAGE, ...LANGUAGE_CODES])]
  const scored = languages.map(
    (code, index) => [code, readIn(code, question, context).score * (LIKELIER[index] ?? 1)] as const,
  )
  return scored.reduce((best, score) => (score[1] > best[1] ? score : best))[0]
}

/** General kinds of question. They do not compete with a more specific kind. */
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
/** The share of the best score from which a second kind of question makes the meaning uncertain. */
const RIVAL = 0.6

/** The kinds of question whose replies cover payments by all cards and without a card. */
const OF_ALL_WAYS: ReadonlySet<Intent> = new Set(['spending', 'recent', 'largest', 'compare'])

/** Returns whether two kinds of question are about equally likely. */
function isContested([first, ...otherIntents]: Reading['intents']): boolean {
  if (!first || first[0] === 'refused') return false
  return otherIntents.some(
    ([code, score]) =>
      (code === 'cards' && OF_ALL_WAYS.has(first[0])) ||
      (code === 'compare' && GENERAL.has(first[0])) ||
      (!GENERAL.has(code) && score >= RIVAL * first[1] && !(first[0] === 'payday' && code === 'income')),
  )
}

/** The details that a reply to each kind of question can use. A kind that is missing here has a reply without details. */
const PLACES: Readonly<Partial<Record<Intent, readonly (keyof QuestionDetails | 'any_time')[]>>> = {
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

/** The kinds of question whose own words may be those of a category: 'which bills are due', 'is the shopping card frozen'. */
const ANY_CATEGORY: ReadonlySet<Intent> = new Set(['upcoming', 'recurring', 'reduce_spending', 'charge'])
/** The kinds of question about a future time. */
const AHEAD: ReadonlySet<Intent> = new Set(['afford', 'forecast', 'upcoming', 'goal_what_if'])
/** The kinds of question that a short follow-up may continue. */
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

/** The kinds of question that the bank answers even with words from the list `unanswered`. */
const ANSWERED_ANYWAY: ReadonlySet<Intent> = new Set(['end_loan', 'refused', 'charge', 'fees'])

/** Returns whether a name is a savings goal's and not a payee's. */
const isGoal = (name: string | null, { goals, payees }: KnownNames): boolean =>
  name !== null && matchNames(name, goals).length > 0 && matchNames(name, payees).length === 0

/** Returns whether a question names only a savings goal. Such a question does not continue one about payments. */
const isOnlyGoal = ({ name, category, kind }: Reading, before: AdvisorAsk, knownNames: KnownNames): boolean =>
  category === null && kind === null && before.intent !== 'goal_what_if' && isGoal(name, knownNames)

/** Returns the question in one part of a message, or null if the rules are not certain. */
function askOf(reading: Reading, { before, now, known }: QuestionContext): AdvisorAsk | null {
  const best = reading.intents[0]?.[0] ?? null
  if (reading.article !== null && best !== 'end_loan')
    return { ...NO_DETAILS, intent: 'how_to', article: reading.article }
  if (reading.isUnanswered && !(best && ANSWERED_ANYWAY.has(best))) return null
  const { category, kind, name, period } = reading
  const isNamed = category !== null || kind !== null || name !== null
  if (
    best === null &&
    before &&
    GOES_ON.has(before.intent) &&
    !isOnlyGoal(reading, before, known) &&
    (isNamed || period.isNamed || reading.amountMinor !== null)
  )
    return fitted(goneOn(before, reading), reading, now)
  // 'How much have I … on food' is about spending; 'how much is in my Vacation Fund' is about savings.
  const whatNamed = isGoal(name, known) ? 'goals' : 'spending'
  const intent = isNamed && (best === null || best === 'balance') ? whatNamed : best
  if (intent === null || isContested(reading.intents)) return null
  // Without other words of a question, a name counts as a question only in a short message.
  if (best === null && name !== null && !period.isNamed && reading.words > MAX_NAME_WORDS[whatNamed]) return null
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
    period: periodOfIntent(meant, period),
  }
  const carries = reading.goesOn && before?.intent === meant && !period.isNamed
  return fitted(carries ? { ...ask, period: before.period } : ask, reading, now)
}

export const periodOfIntent = (intent: Intent, { past, ahead }: NamedPeriod): string | null =>
  AHEAD.has(intent) ? ahead : past

/** Returns the previous question with the details that this one replaces. */
function goneOn(before: AdvisorAsk, { category, kind, name, amountMinor, period }: Reading): AdvisorAsk {
  const subject = category !== null || kind !== null || name !== null ? { category, kind, name } : {}
  return {
    ...before,
    ...subject,
    ...(amountMinor !== null && { amountMinor }),
    ...(period.isNamed && { period: periodOfIntent(before.intent, period) }),
  }
}

/**
 * Returns the question with the details that its reply can use. Returns null if the words name a detail that the reply cannot
 * use.
 */
function fitted(ask: AdvisorAsk, { period }: Pick<Reading, 'period'>, now: Date): AdvisorAsk | null {
  const { intent } = ask
  const places = PLACES[intent]
  if (places === undefined) return { ...NO_DETAILS, intent }
  const takesDetail = (place: keyof QuestionDetails | 'any_time') => places.includes(place)
  if (ask.amountMinor !== null && (ask.amountMinor < 0 || !takesDetail('amountMinor'))) return null
  if (
    !ANY_CATEGORY.has(intent) &&
    ((ask.category !== null && !takesDetail('category')) || (ask.kind !== null && !takesDetail('kind')))
  )
    return null
  if (ask.name !== null && !takesDetail('name')) return null
  if (intent === 'charge' && ask.amountMinor === null && ask.name === null) return null
  if (takesDetail('any_time')) return onlyTakenDetails(ask, takesDetail)
  if (intent === 'compare' && ask.period === monthOf(firstDayOfMonth(now, -1)))
    return onlyTakenDetails(ask, takesDetail)
  if (period.isUnread || isBeyond(ask, now)) return null
  if (ask.period !== null && !takesDetail('period') && ask.period !== dayOf(now)) return null
  return onlyTakenDetails(ask, takesDetail)
}

/** Returns whether a reply to such a question can use a detail. */
export const hasPlace = (intent: Intent, place: keyof QuestionDetails): boolean =>
  PLACES[intent]?.includes(place) ?? false

/** Applies `fitted` to a question that the model has selected. */
export const fittedTo = (ask: AdvisorAsk, { details }: UnderstoodQuestion, now: Date): AdvisorAsk | null =>
  ask.intent === 'how_to' ? { ...NO_DETAILS, intent: ask.intent, article: ask.article } : fitted(ask, details, now)

/**
 * Returns whether the period is on the wrong side of today: past for a question about the future, or future for one about the
 * past.
 */
function isBeyond({ intent, period }: AdvisorAsk, now: Date): boolean {
  if (period === null) return false
  const today = dayOf(now).slice(0, period.length)
  return AHEAD.has(intent) ? period < today : period.slice(0, 10) > today
}

const onlyTakenDetails = (ask: AdvisorAsk, takesDetail: (place: keyof QuestionDetails) => boolean): AdvisorAsk => ({
  ...ask,
  category: takesDetail('category') ? ask.category : null,
  kind: takesDetail('kind') ? ask.kind : null,
  period: takesDetail('period') ? ask.period : null,
})

/** Reads a message by the rules. The result has no questions if the rules are not certain. */
export function understand(question: string, context: QuestionContext): UnderstoodQuestion {
  const language = languageOf(question, context)
  const reading = withName(language, question, context)
  const { category, kind, name, amountMinor, period } = reading
  const details = { category, kind, name, amountMinor, period }
  const nearIntents = reading.intents.map(([code]) => code)
  const refuses = nearIntents[0] === 'refused'
  const hasDetails = [category, kind, name, amountMinor].some((detail) => detail !== null)
  const isAbout = hasDetails || nearIntents.length > 0 || scoreOf(findersIn(language).about, spoken(question)) > 0
  const asks = asksIn(question, language, context) ?? [askOf(reading, context)]
  const certainAsks = asks.filter((ask) => ask !== null)
  return { asks: certainAsks, details, isMixed: reading.isMixed, near: nearIntents, isOpen: isAbout && !refuses }
}

/** Reads a question with the name in it: a known name, or else the name in the position of a payee. */
function withName(language: Language, question: string, context: QuestionContext): Reading {
  const { kinds, categories } = findersIn(language)
  const common = [...kinds, ...categories].flatMap(([, words]) => words)
  const name = findKnownName(spoken(question), context.known, common)
  if (name !== null) return { ...readIn(language, without(name, question), context), name }
  const reading = readIn(language, question, context)
  const { intents, category, kind, period } = reading
  if (intents[0]?.[0] !== 'spending' || category !== null || kind !== null || period.day !== null) return reading
  const unknown = findUnknownName(question, language, context.now)
  // 'On my loan' names no payee.
  const isOther =
    unknown !== null &&
    findersIn(language).intents.some(
      ([code, words]) => code !== 'spending' && scoreOf(words, `${normalize(unknown)} `) > 0,
    )
  return { ...reading, name: unknown, isMixed: isOther }
}

function without(name: string, question: string): string {
  const start = question.toLowerCase().indexOf(name)
  return start < 0 ? question : `${question.slice(0, start)} ${question.slice(start + name.length)}`
}

/** Returns the questions of a message with several. Returns null if its parts cannot be separated with certainty. */
function asksIn(question: string, language: Language, context: QuestionContext): AdvisorAsk[] | null {
  const parts = question.split(findersIn(language).parts).filter((part) => /[\p{L}\p{N}]/u.test(part))
  if (parts.length < 2) return null
  const asks: AdvisorAsk[] = []
  const isTimed: boolean[] = []
  for (const part of parts) {
    const reading = withName(language, part, context)
    const ask = askOf(reading, { ...context, before: asks.at(-1) ?? context.before })
    if (ask === null) return null
    asks.push(ask)
    isTimed.push(reading.period.isNamed)
  }
  // A time in one part also applies to the parts without a time.
  const time = asks.find((_, index) => isTimed[index])?.period ?? null
  const timedAsks = asks.map((ask, index) =>
    !isTimed[index] && PLACES[ask.intent]?.includes('period') ? { ...ask, period: ask.period ?? time } : ask,
  )
  const different = timedAsks.filter(
    (ask, index) => timedAsks.findIndex((candidate) => JSON.stringify(candidate) === JSON.stringify(ask)) === index,
  )
  return different.length <= MAX_ASKS ? different : null
}
