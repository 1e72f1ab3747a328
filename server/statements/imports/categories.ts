import { fold } from '#contract/folding.ts'
import type { Category } from '#contract/categories.ts'
import { merchantsOf } from '#server/card-scheme/merchant-codes.ts'
import { wordPattern } from '#server/statements/imports/bank-vocabulary.ts'

/** Words in payees' names that identify the purchase, in the languages of their banks. The first match counts. */
const WORDS: readonly [Category, RegExp][] = [
  [
    'transfer',
    wordPattern(
      String.raw`transfer|überweisung|virement|transferencia|zelle|venmo|paypal transfer|payment thank you|autopay`,
    ),
  ],
  [
    'bills',
    wordPattern(
      String.raw`electric\w*|energy|power co\w*|water|internet|broadband|mobile|telecom\w*|insurance|rent|mortgage|utilit\w*|council tax|strom|miete|versicherung|loyer|alquiler|verizon|comcast|t-mobile|at&t|vodafone|affitto|canone|aluguel|condominio|huur|czynsz|prad|assicurazione|seguro|verzekering|ubezpieczenie|assurance|luz|gas|internet`,
    ),
  ],
  [
    'transport',
    wordPattern(
      String.raw`uber(?! ?eats)|lyft|taxi|cab|metro|subway (?:fare|card)|transit|rail\w*|train|bus|parking|fuel|petrol|shell|chevron|exxon\w*|airline\w*|airways|bahn|tankstelle|toll`,
    ),
  ],
  [
    'entertainment',
    wordPattern(
      String.raw`netflix|spotify|cinema|theat(?:er|re)|hulu|disney\+?|steam|playstation|xbox|concert|museum|hotel|airbnb|ticket\w*|kino`,
    ),
  ],
  [
    'food',
    wordPattern(
      String.raw`grocer\w*|supermarket|market|restaurant|café|cafe|coffee|bakery|pizza|burger|sushi|deli|uber ?eats|doordash|starbucks|mcdonald\w*|whole foods|trader joe\w*|kroger|safeway|aldi|lidl|rewe|edeka|tesco|carrefour`,
    ),
  ],
]

/** General shops. This pattern comes last, because the other words are more specific. */
const SHOPS = wordPattern(
  String.raw`amazon|amzn|ebay|etsy|aliexpress|temu|shein|ikea|walmart|target|costco|best buy|home depot|lowe'?s|macy'?s|nordstrom|zara|h&m|uniqlo|primark|decathlon|zalando|otto|mediamarkt|saturn|fnac|el corte ingles|bol\.com|allegro|store|shop|boutique|outlet|mall|clothing|shoes|books?|books?store|electronics|furniture|hardware|tienda|negozio|magasin|loja|winkel|sklep|kaufhaus`,
  '淘宝|天猫|京东|拼多多|商店|百货|ショップ|百貨店|楽天市場|متجر|محل',
)

type Payee = { name: string; amountMinor: number; merchantCode?: string | undefined }

/** Returns the category of a payment, by the merchant category code (ISO 18245) in the file, or else by the payee's name. */
export function categoryOf({ name, amountMinor, merchantCode }: Payee): Category {
  if (merchantCode !== undefined && /^\d{4}$/.test(merchantCode)) return merchantsOf(merchantCode).category
  const category = WORDS.find(([, pattern]) => pattern.test(fold(name)))?.[0]
  if (amountMinor > 0) return category === 'transfer' ? 'transfer' : 'income'
  return category ?? (SHOPS.test(fold(name)) ? 'shopping' : 'other')
}
