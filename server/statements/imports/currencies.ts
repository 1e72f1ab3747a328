/** The currencies of ISO 4217 that the platform knows. */
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Signs and names by which files name currencies, small letters without points. A sign that several countries use stands for itself. */
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

/** 'kr' is of three countries, and '¥' of two. */
const SHARED = new Set(['kr', '¥', 'kn', 'din'])

/** Names of currencies that stand among letters without spaces, or in full. */
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

/** The currency that a word or sign by itself names, by its ISO 4217 code or, where several share it, as written; null where it names none. */
export function currencyNamed(word: string): string | null {
  const bare = word.replaceAll('.', '')
  const known = NAMES.get(bare.toLowerCase()) ?? SPELLED.find(([pattern]) => pattern.test(bare))?.[1]
  if (known !== undefined) return known
  if (CODES.has(bare)) return bare
  // Small letters may be any word: 'all', 'top' and 'try' are currencies of ISO 4217.
  if (/^[a-z]{3}$/.test(bare) && /^(?:usd|eur|gbp|chf|jpy|cad|aud|pln|sek|nok|dkk|czk|brl|mxn|inr|cny)$/.test(bare))
    return bare.toUpperCase()
  return SHARED.has(bare.toLowerCase()) || /^\p{Sc}$/u.test(bare) ? bare : null
}

/** The currency that a heading names among its words: 'Amount in EUR', 'Betrag (€)'. */
export function currencyIn(heading: string): string | null {
  const spelled = SPELLED.find(([pattern]) => pattern.test(heading))?.[1]
  if (spelled !== undefined) return spelled
  const words = heading.split(/[\s()[\]/:,_-]+/).filter((word) => word !== '')
  return (
    words
      .map((word) => (/^(?:Rs|Fr|RM|Rp|rs|fr|rm|rp|Ft|Tl|TL)$/.test(word) ? null : currencyNamed(word)))
      .find((found) => found !== null) ?? null
  )
}

/** Whether each of some cells is a currency by itself. */
export const areCurrencies = (cells: readonly string[]): boolean =>
  cells.length > 0 && cells.every((cell) => currencyNamed(cell.trim()) !== null)
