import { type Marks, ENGLISH_MARKS, marksOf } from '#contract/amounts.ts'
import { intlLocale } from '#contract/languages.ts'
import { countsThese } from '#server/advisor/model/counted-words.ts'
import type { Counted, Facts } from '#server/advisor/model/facts.ts'
import { isInDate, ORDINAL_AFTER, type Place } from '#server/advisor/model/date-numbers.ts'
import { hasLettersForNumber, hasNumberWord } from '#server/advisor/model/number-words.ts'
import { asksForSecrets, leadsElsewhere, BARE_ENDINGS } from '#server/advisor/model/not-to-be-said.ts'
import {
  CURRENCY_AFTER,
  CURRENCY_BEFORE,
  MINUS_AFTER,
  MINUS_BEFORE,
  OPERATOR_BEFORE,
  OTHER_DOLLARS_AFTER,
  OTHER_MONEY_AFTER,
  OTHER_MONEY_BEFORE,
  PERCENT_AFTER,
  PERCENT_BEFORE,
  PLUS_BEFORE,
} from '#server/advisor/model/unit-words.ts'
import { IS_UNSPACED, normalised, plainDigits } from '#server/advisor/questions/normalise.ts'

/** Characters that are not seen, and could part a number's digits. */
const UNSEEN = /[\p{Cf}\p{Mn}\p{Me}]/gu

/** Addresses, markup and code: nothing of a reply leads anywhere, or looks like something that does. */
const MARKUP =
  /:\/\/|www\.|\]\s*\(|<\s*[a-z/!]|@\S|\{|\}|\[|\]|&\w+;|`|\\|(?<![\p{L}.])[a-z0-9-]{2,}\.(?:com|net|org|io|co|info|biz|app|dev|xyz|me|example|[a-z]{2})(?![\p{L}\p{N}])/iu

/** The bank's figures are dollars of the United States. */
const FOREIGN = /[\p{Sc}--[$]]|(?<=\p{Script=Latin})(?<!(?<!\p{Script=Latin})us)\$/iv
/** What makes an amount a thousand times as much, behind its sign too: '$520 K', '520 $ Mio.' */
const TIMES_AFTER =
  /^\s?(?:us\s?)?(?:\$|usd)?\s?(?:k|m|mm|bn?|t|mio|mln|mrd|mld|md|mds|tys|tsd|lakhs?|crores?|grand)(?!\p{L})/iu
/** A dollar sign with no digit beside it: '$lOO' and '$SOO' are letters that look like an amount. */
const DOLLAR_ALONE = /(?<!\d\s?(?:us\s?)?)\$(?!\s?[-−+~]?\d)/iu
/** Signs that are numbers: per mille, 🔟 and 💯, Braille, the faces of dice, and cards and tiles of games. */
const SIGNS = /[‰‱🔟💯\u2800-\u28FF\u2680-\u2685\u{1F000}-\u{1F0FF}]/u
/** Scripts that none of the languages has: their words are not looked at. */
const OTHER_SCRIPT =
  /[\p{L}--[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Arabic}\p{Script=Common}\p{Script=Inherited}]]/v
/** Small capitals and other letters of phonetics, which look like words that are looked for; and letters written one by one. */
const DISGUISED = /[\p{Script=Latin}--[A-z\u00AA-\u024F\u1E00-\u1EFF]]|(?<!\p{L})(?:[a-z][ _*\-]){2,}[a-z](?!\p{L})/iv
/** Whatever looks like a name of the internet, under any ending. */
const DOMAIN = new RegExp(
  String.raw`(?<![\p{L}\p{N}.-])[\p{L}\p{N}-]{2,}[.。]\p{Ll}{2,24}(?!\p{L})|\p{L}[.。]\s(?:${BARE_ENDINGS})(?!\p{L})`,
  'u',
)

/** A count that is not parted from the figure before or after it by a word is part of another number: '7-7-7', '$200 7'. */
const FIGURE_BEFORE = /\d(?:[-–—−_~|·:]|\s[-−]\s|\s)\$?$/u
const FIGURE_AFTER = /^(?:[-–—−_~|·:]|\s[-−]\s|\s)\$?\d/u

/** No language has a word as long: it is made to take long to look at. */
const ENDLESS = /[\p{Script=Latin}\p{Script=Arabic}]{50}/u

const UNFIT = [ENDLESS, MARKUP, DOMAIN, FOREIGN, DOLLAR_ALONE, OTHER_SCRIPT, DISGUISED]

/** Figures with what may stand inside one: '1,639.34', '1.639,34', '1 639,34'. */
const FIGURE = /\d+(?:(?:[.,'’\u066B\u066C]| (?=\d{3}(?!\d)))\d+)*/gu

/**
 * Whether every figure of a text is one that the tools answered, as what it is: an amount as an amount, a share as a share.
 * Whatever cannot be checked is not there: numbers in words, fractions, addresses, long quotations of what others wrote.
 */
export function isVouchedFor(text: string, facts: Facts, language: string): boolean {
  if (MARKUP.test(text)) return false
  // ½, ², Ⅳ and ⑤ are numbers that are no digits.
  if (/[\p{No}\p{Nl}]/u.test(text) || SIGNS.test(text)) return false
  const plain = plainDigits(text.normalize('NFKC')).replaceAll(UNSEEN, '')
  if (UNFIT.some((sign) => sign.test(plain))) return false
  const words = normalised(plain)
  if (hasNumberWord(words, language) || hasLettersForNumber(plain) || quotesOthers(words, facts)) return false
  if (asksForSecrets(words) || leadsElsewhere(words)) return false
  const languageMarks = marksOf(intlLocale(language))
  return [...plain.matchAll(FIGURE)].every((match) => {
    const before = plain.slice(0, match.index)
    const after = plain.slice(match.index + match[0].length)
    const values = [ENGLISH_MARKS, languageMarks].flatMap((marks) => valueOf(match[0], marks) ?? [])
    return values.some((value) => isKnown(value, { before, after }, facts, language))
  })
}

/** Digits beside letters are another number than they look: '5k', 'O0', '3x'. */
const isGlued = (before: string, after: string): boolean => {
  const [first = ''] = after
  const last = before.at(-1) ?? ''
  const isLetter = (letter: string) =>
    /\p{L}/u.test(letter) && !IS_UNSPACED.test(letter) && !/\p{Script=Arabic}/u.test(letter)
  return (
    (isLetter(first) && !ORDINAL_AFTER.test(after) && !CURRENCY_AFTER.test(after) && !PERCENT_AFTER.test(after)) ||
    (isLetter(last) && !CURRENCY_BEFORE.test(before))
  )
}

function isKnown(value: number, { before, after }: Place, facts: Facts, language: string): boolean {
  if (isGlued(before, after) || OTHER_MONEY_AFTER.test(after) || TIMES_AFTER.test(after)) return false
  if (OTHER_DOLLARS_AFTER.test(after) || OTHER_MONEY_BEFORE.test(before)) return false
  // Its last letters are without the space that may stand between them and the figure.
  const near = normalised(`${before.slice(-AROUND)}|`).slice(0, -1)
  if (/^\s?[万萬千億亿百]/u.test(after) || OPERATOR_BEFORE.test(near)) return false
  const sign = signOf(near, after)
  if (PERCENT_AFTER.test(after) || PERCENT_BEFORE.test(before)) return has(facts.tenths, value, { unit: 10, sign })
  if (CURRENCY_AFTER.test(after) || CURRENCY_BEFORE.test(before)) return has(facts.cents, value, { unit: 100, sign })
  if (!Number.isInteger(value)) return false
  if (facts.dates.has(value) && isInDate(value, { before, after }, language)) return true
  const isCounted = COUNTED.some((one) => facts.counts[one].has(value) && countsThese(one, after))
  return isCounted && !FIGURE_BEFORE.test(before) && !FIGURE_AFTER.test(after)
}

/** So much of a text before a figure says what the figure is. */
const AROUND = 40

const COUNTED: readonly Counted[] = ['payments', 'months']

/** The sign that is written beside a figure; 0 where there is none. `before` is normalised. */
function signOf(before: string, after: string): number {
  if (MINUS_BEFORE.test(before) || MINUS_AFTER.test(after)) return -1
  return PLUS_BEFORE.test(before) ? 1 : 0
}

/**
 * Whether a figure of these is meant, which are in parts of a `unit`. It may be rounded to whole ones, as people do. "8.5% less" and
 * "you paid $20" say without a sign what has one, but none may be written that is not the figure's.
 */
function has(figures: ReadonlySet<number>, value: number, { unit, sign }: { unit: number; sign: number }): boolean {
  const said = Math.round(value * unit)
  return [...figures].some((figure) => {
    if (sign * figure < 0) return false
    const size = Math.abs(figure)
    return size === said || (said % unit === 0 && Math.round(size / unit) * unit === said)
  })
}

/** A figure as it is written with these marks; null where it is not. */
function valueOf(written: string, { decimal, group }: Marks): number | null {
  const spaced = written.replaceAll(/['’ ]/g, '').replaceAll('\u066B', '.').replaceAll('\u066C', ',')
  const isSpace = group.trim() === ''
  const [whole = '', fraction, ...more] = spaced.split(decimal)
  if (more.length > 0 || (fraction !== undefined && !/^\d{1,2}$/.test(fraction))) return null
  const mark = isSpace ? '' : group
  const grouped = mark === '' ? /^\d+$/ : new RegExp(`^(?:\\d+|\\d{1,3}(?:[${mark}]\\d{3})+)$`)
  if (!grouped.test(whole)) return null
  return Number(`${mark === '' ? whole : whole.replaceAll(mark, '')}${fraction === undefined ? '' : `.${fraction}`}`)
}

/** So many letters in a row of what somebody else wrote are theirs, not the advisor's. */
const QUOTED_LEAST = 28

/** `said` is normalised. */
function quotesOthers(said: string, { quoted }: Facts): boolean {
  return [...quoted].some((theirs) => {
    const source = normalised(theirs)
    for (let start = 0; start + QUOTED_LEAST <= source.length; start += 1) {
      if (said.includes(source.slice(start, start + QUOTED_LEAST))) return true
    }
    return false
  })
}
