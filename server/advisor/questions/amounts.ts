import { readAmount } from '#contract/amounts.ts'
import { plainDigits } from '#server/advisor/questions/normalise.ts'

/** A number with what may part its thousands and its cents. */
const NUMBER = /\d+(?:(?:[.,'\u066B\u066C]| (?=\d{3}(?!\d)))\d+)*/g

/** A unit multiplies the number that it follows. One without `languages` does so in every language. */
const UNITS: readonly { written: RegExp; times: number; languages?: readonly string[] }[] = [
  { written: /^\s?k\b/i, times: 1_000 },
  // In English it is a million.
  { written: /^\s?mil\b/i, times: 1_000, languages: ['es', 'pt'] },
  { written: /^\s?tys\b/i, times: 1_000, languages: ['pl'] },
  { written: /^\s?千/, times: 1_000 },
  { written: /^\s?[万萬]/, times: 10_000 },
  { written: /^\s?(?:آلاف|الف|ألف)/, times: 1_000 },
]

/** What makes the number before it another one, and is not read: '10 thousand', '2 Mio.', '5 mille', '50 cents'. */
const SCALE_AFTER =
  /^(?:m\b|\s?(?:mil|tys|hundreds?|thousands?|grand|millions?|mn|billions?|bn|trillions?|cents?|hundert|tausend|tsd|millionen|mio|milliarden?|mrd|billionen|centimes|mille|milliers?|milliards?|cientos|centavos|millón|millon(?:es)?|milh(?:ão|ao|ões|oes|ares)|bilh(?:ão|ao|ões|oes)|centesimi|cento|mila|milion[ei]|miliard[oi]|honderd|duizend|miljoen|miljard|setki|tysi[ąa]c(?:e|a)?|tysięcy|tysiecy|milion(?:y|ów|ow|a)?|mln|miliard(?:y|ów|ow|a)?|mld)(?![\p{L}\p{N}])|\s?[十百亿億兆]|\s?(?:مليون|ملايين|مليار|مليارات|مئة|مائة|سنت))/iu

/** What goes on with an amount behind its unit: '3千万', '1万5千'. */
const MORE_AFTER = /^[\d千万萬]/

function unitOf(after: string, language: string): { times: number; rest: string } {
  for (const { written, times, languages } of UNITS) {
    const found = languages && !languages.includes(language) ? null : written.exec(after)
    if (found) return { times, rest: after.slice(found[0].length) }
  }
  return { times: 1, rest: after }
}

/** What is counted in time is no money: '6 months', '6 Monate', '6个月'. */
const TIME_AFTER =
  /^\s?(?:(?:months?|years?|weeks?|days?|monat|jahr|woche|tage?n?(?!\p{L})|mes(?:es|i|e)?(?!\p{L})|ano?s?(?!\p{L})|an(?:nee|née)s?(?!\p{L})|ans?(?!\p{L})|años?|semanas?|d[ií]as?(?!\p{L})|mois|semaines?|jours?|ann[io](?!\p{L})|settiman|giorn|m[eê]s(?:es)?(?!\p{L})|maand|jaar|jaren|we(?:ek|ken)|dagen|miesi|lat(?:a)?(?!\p{L})|rok|tygodn|dni(?!\p{L})|شهر|[أا]شهر|شهور|سن[ةوه]|سنوات|[أا]سبوع|[أا]سابيع|يوم|[أا]يام)|个月|個月|か月|ヶ月|カ月|月|年|天|日|周|週)/iu

/** A number alone that is more likely a year than an amount. */
const isYear = (written: string, before: string, after: string): boolean =>
  /^(?:19|20)\d\d$/.test(written) &&
  !/\p{Sc}\s?$/u.test(before) &&
  !/^\s?(?:\p{Sc}|us\s?\$|usd|d[oó]l|美|ドル|دولار)/iu.test(after)

/** '1e3' is no amount, and neither are its parts. */
const EXPONENT_AFTER = /^e[+-]?\d/i
const EXPONENT_BEFORE = /\de[+-]?$/i

/** What makes the number after it less than nothing; a dash between two words does not. */
const MINUS_BEFORE = /(?:(?:^|[\s(])[-\u2212]\$?|\$\s?[-\u2212]\s?|(?:minus|负|マイナス|ناقص)\s?\$?)$/iu

/** The first year that a question names; null where it names none. */
export function yearIn(question: string): number | null {
  const text = plainDigits(question.normalize('NFKC'))
  const year = [...text.matchAll(NUMBER)].find((match) =>
    isYear(match[0], text.slice(0, match.index), text.slice(match.index + match[0].length)),
  )
  return year ? Number(year[0]) : null
}

/** The first amount that a question names, US cents, signed; null where it names none. Numbers of years are not meant. */
export function amountIn(question: string, language: string): number | null {
  const text = plainDigits(question.normalize('NFKC'))
  for (const match of text.matchAll(NUMBER)) {
    const reading = readAmount(match[0], { language, asset: 'USD' })
    const after = text.slice(match.index + match[0].length)
    if (/^\s?(?:%|٪)/.test(after) || TIME_AFTER.test(after)) continue
    const before = text.slice(0, match.index)
    if (EXPONENT_AFTER.test(after) || EXPONENT_BEFORE.test(before)) continue
    if (isYear(match[0], before, after)) continue
    // What may be one of two amounts is none: the customer is asked for it.
    if (reading.state === 'unsure') return null
    if (reading.state !== 'read' || reading.amountMinor === 0) continue
    const minor = reading.amountMinor
    const { times, rest } = unitOf(after, language)
    // No part of an amount is the amount: the customer is asked for it.
    if (SCALE_AFTER.test(rest) || (times > 1 && MORE_AFTER.test(rest))) return null
    // More than anybody has would only be laughed at.
    if (minor * times <= 1_000_000_000_00) return (MINUS_BEFORE.test(before) ? -minor : minor) * times
  }
  return null
}
