/** The currencies of ISO 4217 that the JavaScript runtime supports. */
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** The currencies by the signs and names that files use, in small letters without points. */
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    $: 'USD',
    us$: 'USD',
    usd$: 'USD',
    $us: 'USD',
    dollar: 'USD',
    dollars: 'USD',
    '€': 'EUR',
    euro: 'EUR',
    euros: 'EUR',
    '£': 'GBP',
    '₹': 'INR',
    rs: 'INR',
    '₽': 'RUB',
    руб: 'RUB',
    '₩': 'KRW',
    '₦': 'NGN',
    '₺': 'TRY',
    tl: 'TRY',
    '₫': 'VND',
    '₴': 'UAH',
    '₪': 'ILS',
    '฿': 'THB',
    '₱': 'PHP',
    '₡': 'CRC',
    '₲': 'PYG',
    '₸': 'KZT',
    '₼': 'AZN',
    '₾': 'GEL',
    '₵': 'GHS',
    '₮': 'MNT',
    '₭': 'LAK',
    zł: 'PLN',
    kč: 'CZK',
    ft: 'HUF',
    lei: 'RON',
    лв: 'BGN',
    r$: 'BRL',
    元: 'CNY',
    円: 'JPY',
    rmb: 'CNY',
    fr: 'CHF',
    sfr: 'CHF',
    a$: 'AUD',
    au$: 'AUD',
    c$: 'CAD',
    ca$: 'CAD',
    cdn$: 'CAD',
    hk$: 'HKD',
    nz$: 'NZD',
    s$: 'SGD',
    mx$: 'MXN',
    nt$: 'TWD',
    rp: 'IDR',
    rm: 'MYR',
  }),
)

/** Signs and short names of more than one currency. Several countries use 'kr', and two use '¥'. */
const SHARED = new Set(['kr', '¥', 'kn', 'din'])

/** Names of currencies in full, or in languages that put no spaces between words. */
const SPELLED: readonly [RegExp, string][] = [
  [/美元|米ドル|ドル|دولار|\b(?:us )?dollars?\b|\bd[oó]lares\b/i, 'USD'],
  [/ريال|ر\.?س/, 'SAR'],
  [/درهم|د\.إ/, 'AED'],
  [/جنيه|ج\.م/, 'EGP'],
  [/دينار|د\.ك/, 'KWD'],
  [/يورو|ユーロ|欧元|유로|\beuro\p{L}{0,3}\b|\bevro\b|(?<!\p{L})евро(?!\p{L})|ευρώ/iu, 'EUR'],
  [/人民币|[（(]元[）)]/, 'CNY'],
  [/日元|[（(]円[）)]/, 'JPY'],
  [/港币|港幣/, 'HKD'],
  [/英镑|ポンド|\bpounds?\b|\bsterling\b/i, 'GBP'],
  [/\bzlot\w*|złot\w*/i, 'PLN'],
  [/\bkoru?n\w*\b|\bkoruny?\b/i, 'CZK'],
  [/(?<!\p{L})kron(?:or|er|ur|en|e|a)(?!\p{L})/iu, 'kr'],
  [/\bforint\w*/i, 'HUF'],
  [/\blir(?:a|e|as)\b|türk liras\p{L}/iu, 'TRY'],
  [/рубл\p{L}*/iu, 'RUB'],
  [/тенге/i, 'KZT'],
  [/гривн\p{L}*/iu, 'UAH'],
  [/\b(?:schweizer )?franken\b|\bfrancs suisses\b|\bswiss francs?\b/i, 'CHF'],
  [/원화|[（(]원[）)]/, 'KRW'],
  [/\breais\b/i, 'BRL'],
  [/\bpesos\b/i, 'MXN'],
  [/\brupees\b/i, 'INR'],
]

/**
 * Returns the currency that a single word or sign names: its ISO 4217 code, or a sign such as 'kr' if the code is unclear.
 * Returns null if the text names none.
 */
export function parseCurrency(word: string): string | null {
  const bareWord = word.replaceAll('.', '')
  const currency = NAMES.get(bareWord.toLowerCase()) ?? SPELLED.find(([pattern]) => pattern.test(bareWord))?.[1]
  if (currency !== undefined) return currency
  if (CODES.has(bareWord)) return bareWord
  // An ordinary word in small letters may look like a code: 'all', 'top' and 'try' are ISO 4217 codes too.
  if (
    /^[a-z]{3}$/.test(bareWord) &&
    /^(?:usd|eur|gbp|chf|jpy|cad|aud|pln|sek|nok|dkk|czk|brl|mxn|inr|cny)$/.test(bareWord)
  )
    return bareWord.toUpperCase()
  return SHARED.has(bareWord.toLowerCase()) || /^\p{Sc}$/u.test(bareWord) ? bareWord : null
}

/** Returns the currency that a heading names among its words: 'Amount in EUR', 'Betrag (€)'. */
export function currencyIn(heading: string): string | null {
  const currency = SPELLED.find(([pattern]) => pattern.test(heading))?.[1]
  if (currency !== undefined) return currency
  const words = heading.split(/[\s()[\]/:,_-]+/).filter((word) => word !== '')
  return (
    words
      .map((word) => (/^(?:Rs|Fr|RM|Rp|rs|fr|rm|rp|Ft|Tl|TL)$/.test(word) ? null : parseCurrency(word)))
      .find((code) => code !== null) ?? null
  )
}

/** Returns whether each of some cells is a currency and nothing else. */
export const areCurrencies = (cells: readonly string[]): boolean =>
  cells.length > 0 && cells.every((cell) => parseCurrency(cell.trim()) !== null)
