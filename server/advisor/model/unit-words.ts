import { type Language, LANGUAGE_CODES } from '#contract/languages.ts'

/** What a language writes behind a figure to say what it is, each as a pattern of how the word begins. */
type UnitWords = {
  percent: string
  dollars: string
  /** Money of other kinds, parts of a dollar, and what people call money among friends: nothing of these is checked. */
  otherMoney: string
}

/** A language that is new to the bank has to say its units here. */
const UNITS: Readonly<Record<Language, UnitWords>> = {
  en: {
    percent: 'percent|per cent',
    dollars: 'us-dollar|dollar',
    otherMoney:
      'euros?|pounds?|sterling|yen|yuan|rupees?|pesos?|bitcoins?|bucks?|quid|cents?|pence|dimes?|nickels?|grand',
  },
  es: {
    percent: 'por ?cien',
    dollars: 'dólar|dolar',
    otherMoney: 'libras?|pesos?|yenes|yuanes|c[eé]ntimos?|centavos?|pavos|lucas',
  },
  fr: { percent: 'pour ?cent', dollars: 'dollar', otherMoney: 'livres?|yens?|yuans?|centimes?|cents|balles' },
  de: {
    percent: 'prozent',
    dollars: 'us-dollar|dollar',
    otherMoney: 'pfund|franken|rappen|rubel|kröten|mäuse|piepen|tacken',
  },
  it: { percent: 'per ?cento', dollars: 'dollar', otherMoney: 'sterlin[ae]|franchi|centesimi|yuan|verdoni|sacchi' },
  pt: {
    percent: 'por ?cento',
    dollars: 'dólar|dolar',
    otherMoney: 'reais|libras?|ienes?|centavos?|contos?|pratas?|paus',
  },
  nl: { percent: 'procent', dollars: 'dollar', otherMoney: 'ponden|frank|piek|ballen|pegels|cent' },
  pl: {
    percent: 'procent',
    dollars: 'dolar',
    otherMoney:
      'zlot\\p{L}*|złot\\p{L}*|zł|zl|funt\\p{L}*|jen(?:y|ów)?|juan\\p{L}*|cent(?:y|ów|a)?|dolc\\p{L}*|baks\\p{L}*|zielonych',
  },
  zh: { percent: '个百分点', dollars: '美元|美金', otherMoney: '[元円圆圓块塊刀角]|美分|分钱|毛钱|人民币' },
  ja: { percent: 'パーセント', dollars: '米ドル|ドル', otherMoney: '[円元]|ユーロ|セント|ポンド' },
  ar: {
    percent: 'بالمئة|بالمائة|في المئة|في المائة',
    dollars: 'دولار',
    otherMoney: 'يورو|يوان|ين|جنيه|ريال|درهم|دينار|سنت|قرش|بنس',
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
/** A unit of money or of shares, of whichever language. */
export const UNIT_AFTER = new RegExp(`^(?:${PERCENT}|${DOLLARS})`, 'iu')
