import { type Language, LANGUAGE_CODES } from '#contract/languages.ts'
import { IS_UNSPACED } from '#server/advisor/questions/normalise.ts'

/** What a language writes beside a figure to say what it is, each as a pattern of how the word begins. */
type UnitWords = {
  percent: string
  dollars: string
  /** Money of other kinds, parts of a dollar, and what people call money among friends: nothing of these is checked. */
  otherMoney: string
  /** Before a figure, that it is less than nothing: 'minus $20'. */
  minus: string
  /** Between two figures, what makes a third of them, beside `minus`: '$20 times 7', '$20 plus $7'. */
  operators: string
}

/** A language that is new to the bank has to say its units here. */
const UNITS: Readonly<Record<Language, UnitWords>> = {
  en: {
    percent: 'percent|per cent',
    dollars: 'us-dollar|dollar',
    otherMoney:
      'euros?|pounds?|sterling|yen|yuan|rupees?|pesos?|bitcoins?|bucks?|quid|cents?|pence|dimes?|nickels?|grand',
    minus: 'minus|negative',
    operators: 'times|multiplied by|divided by|plus|less|added to',
  },
  es: {
    percent: 'por ?cien',
    dollars: 'dólar|dolar',
    otherMoney: 'libras?|pesos?|yenes|yuanes|c[eé]ntimos?|centavos?|pavos|lucas',
    minus: '(?<!(?:al|lo|ao|pelo) )menos|negativo de',
    operators: 'veces|por|mas|multiplicado por|dividido (?:por|entre)',
  },
  fr: {
    percent: 'pour ?cent',
    dollars: 'dollar',
    otherMoney: 'livres?|yens?|yuans?|centimes?|cents|balles',
    minus: '(?<!(?:au|du) )moins|negatif de',
    operators: 'fois|divise par|plus|multiplie par',
  },
  de: {
    percent: 'prozent',
    dollars: 'us-dollar|dollar',
    otherMoney: 'pfund|franken|rappen|rubel|kröten|mäuse|piepen|tacken',
    minus: 'minus',
    operators: 'mal|geteilt durch|plus|weniger',
  },
  it: {
    percent: 'per ?cento',
    dollars: 'dollar',
    otherMoney: 'sterlin[ae]|franchi|centesimi|yuan|verdoni|sacchi',
    minus: 'meno',
    operators: 'volte|per|diviso|piu',
  },
  pt: {
    percent: 'por ?cento',
    dollars: 'dólar|dolar',
    otherMoney: 'reais|libras?|ienes?|centavos?|contos?|pratas?|paus',
    minus: '(?<!(?:al|lo|ao|pelo) )menos|negativo de',
    operators: 'vezes|por|dividido por|mais',
  },
  nl: {
    percent: 'procent',
    dollars: 'dollar',
    otherMoney: 'ponden|frank|piek|ballen|pegels|cent',
    minus: 'min|minus',
    operators: 'keer|maal|gedeeld door|plus',
  },
  pl: {
    percent: 'procent',
    dollars: 'dolar',
    otherMoney:
      'zlot\\p{L}*|złot\\p{L}*|zł|zl|funt\\p{L}*|jen(?:y|ów)?|juan\\p{L}*|cent(?:y|ów|a)?|dolc\\p{L}*|baks\\p{L}*|zielonych',
    minus: 'minus',
    operators: 'razy|podzielic przez|plus|dodac|odjac',
  },
  zh: {
    percent: '个百分点',
    dollars: '美元|美金',
    otherMoney: '[元円圆圓块塊刀角]|美分|分钱|毛钱|人民币',
    minus: '负|減去?|减去?',
    operators: '乘以?|除以|再?加上?',
  },
  ja: {
    percent: 'パーセント',
    dollars: '米ドル|ドル',
    otherMoney: '[円元]|ユーロ|セント|ポンド',
    minus: 'マイナス|引く',
    operators: 'かける|割る|足す|プラス',
  },
  ar: {
    percent: 'بالمئة|بالمائة|في المئة|في المائة',
    dollars: 'دولار',
    otherMoney: 'يورو|يوان|ين|جنيه|ريال|درهم|دينار|سنت|قرش|بنس',
    minus: 'ناقص|سالب',
    operators: 'ضرب|مقسوم(?: على)?|زايد',
  },
}

const all = (kind: keyof UnitWords): string => LANGUAGE_CODES.map((language) => UNITS[language][kind]).join('|')

const PERCENT = String.raw`[\s-]?(?:%|٪|${all('percent')})`
const DOLLARS = String.raw`[\s-]?(?:us\s?)?(?:\$|usd|${all('dollars')})`
const CODES = 'eur|gbp|chf|cad|aud|jpy|cny|rmb|inr|pln|btc|eth|ltc|usd\\p{L}+'

export const PERCENT_AFTER = new RegExp(`^${PERCENT}`, 'iu')
export const PERCENT_BEFORE = /百分之\s?$/u
/** A word may come between: '7 American dollars'. */
export const CURRENCY_AFTER = new RegExp(String.raw`^(?:${DOLLARS}|\s\p{L}+\s(?:usd|${all('dollars')}))`, 'iu')
export const CURRENCY_BEFORE = /(?:\$|usd|us-dollar|ドル|دولار)\s?$/iu
/** The bank's figures are dollars of the United States. */
export const OTHER_MONEY_AFTER = new RegExp(
  String.raw`^[\s\-]?(?:${CODES}|${all('otherMoney')})(?![\p{L}--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]])`,
  'iv',
)
/** How the languages begin what says where dollars are from, if not from the United States. */
const ELSEWHERE =
  '[ck]anad|austral|hong[ -]?kong|singap|new zealand|n[eé]o-?z[eé]land|neozel|neusee|nieuw-zee|nowozel|taiw|jama[iy]|namib|[sz]imbab|كندي|[اأ]سترالي|سنغافور|نيوزيلند'
/** Dollars of elsewhere: 'Canadian dollars', 'dollars canadiens', 'CAD $'. */
export const OTHER_DOLLARS_AFTER = new RegExp(
  String.raw`^(?:\s(?!us\s|amer)\p{L}+\s(?:${all('dollars')})|(?:${DOLLARS}\p{L}*)?\s(?:${ELSEWHERE}))`,
  'iu',
)
export const OTHER_MONEY_BEFORE = new RegExp(
  String.raw`(?<![\p{Script=Latin}\d])(?:${CODES}|hkd?|nzd?|twd|sgd|nt)\s?\$?\s?$`,
  'iu',
)
/** A unit of money or of shares, of whichever language. */
export const UNIT = `(?:${PERCENT}|${DOLLARS})`
export const UNIT_AFTER = new RegExp(`^${UNIT}`, 'iu')

const bySpaces = (words: readonly string[]): string[] => words.filter((one) => !IS_UNSPACED.test(one))
const byNone = (words: readonly string[]): string[] => words.filter((one) => IS_UNSPACED.test(one))
const wordsOf = (kind: 'minus' | 'operators') => LANGUAGE_CODES.map((language) => UNITS[language][kind])
const MINUS_WORDS = String.raw`(?:(?<!\p{L})(?:${bySpaces(wordsOf('minus')).join('|')}) |(?:${byNone(wordsOf('minus')).join('|')}) ?)`
const OPERATORS = [...wordsOf('operators'), ...wordsOf('minus')].join('|')

/** A dollar sign before a figure, if there is one. */
const SIGN = String.raw`(?:(?:us)?\$ ?)?`
/** That a figure is less than nothing, or more; a dash between two words says neither, nor does a hyphen within one. */
export const MINUS_BEFORE = new RegExp(
  String.raw`(?<![\p{Script=Latin}\p{Script=Arabic}\d)%$])[-−–]${SIGN}$|\$ ?[-−–]$|${MINUS_WORDS}${SIGN}$`,
  'u',
)
export const MINUS_AFTER = /^(?:\$|usd| usd)?[-−](?![\p{L}\d])/iu
export const PLUS_BEFORE = new RegExp(String.raw`(?<![\d)%$])\+${SIGN}$|\$ ?\+$`, 'u')

/** Between two figures, what makes a third of them that nobody has checked: '$200 x 7', '$200/7', '200 times 7'. */
export const OPERATOR_BEFORE = new RegExp(
  String.raw`\d[ )]?(?:us)?(?:[$%]|(?:usd|${all('dollars')})\p{Script=Latin}*\p{Script=Arabic}*)?(?: ?[x×✕✖*∗⁎÷/∕⁄^=+] ?| ?(?:${OPERATORS}) ?)[(]?${SIGN}$`,
  'iu',
)
