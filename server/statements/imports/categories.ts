import { fold } from '#contract/folding.ts'
import type { Category } from '#contract/categories.ts'
import { merchantsOf } from '#server/card-scheme/merchant-codes.ts'
import { words } from '#server/statements/imports/words.ts'

/** Words in the names of payees that say what was bought, in the languages of their banks; the first that fits counts. */
const WORDS: readonly [Category, RegExp][] = [
  [
    'transfer',
    words(
      String.raw`transfer|überweisung|virement|transferencia|zelle|venmo|paypal transfer|payment thank you|autopay`,
    ),
  ],
  [
    'bills',
    words(
      String.raw`electric\w*|energy|power co\w*|water|internet|broadband|mobile|telecom\w*|insurance|rent|mortgage|utilit\w*|council tax|strom|miete|versicherung|loyer|alquiler|verizon|comcast|t-mobile|at&t|vodafone|affitto|canone|aluguel|condominio|huur|czynsz|prad|assicurazione|seguro|verzekering|ubezpieczenie|assurance|luz|gas|internet`,
    ),
  ],
  [
    'transport',
    words(
      String.raw`uber(?! ?eats)|lyft|taxi|cab|metro|subway (?:fare|card)|transit|rail\w*|train|bus|parking|fuel|petrol|shell|chevron|exxon\w*|airline\w*|airways|bahn|tankstelle|toll`,
    ),
  ],
  [
    'entertainment',
    words(
      String.raw`netflix|spotify|cinema|theat(?:er|re)|hulu|disney\+?|steam|playstation|xbox|concert|museum|hotel|airbnb|ticket\w*|kino`,
    ),
  ],
  [
    'food',
    words(
      String.raw`grocer\w*|supermarket|market|restaurant|café|cafe|coffee|bakery|pizza|burger|sushi|deli|uber ?eats|doordash|starbucks|mcdonald\w*|whole foods|trader joe\w*|kroger|safeway|aldi|lidl|rewe|edeka|tesco|carrefour`,
    ),
  ],
]

/** Where people buy things; after all that says more. */
const SHOPS = words(
  String.raw`amazon|amzn|ebay|etsy|aliexpress|temu|shein|ikea|walmart|target|costco|best buy|home depot|lowe'?s|macy'?s|nordstrom|zara|h&m|uniqlo|primark|decathlon|zalando|otto|mediamarkt|saturn|fnac|el corte ingles|bol\.com|allegro|store|shop|boutique|outlet|mall|clothing|shoes|books?|books?store|electronics|furniture|hardware|tienda|negozio|magasin|loja|winkel|sklep|kaufhaus`,
  '淘宝|天猫|京东|拼多多|商店|百货|ショップ|百貨店|楽天市場|متجر|محل',
)

type Payee = { name: string; amountMinor: number; merchantCode?: string | undefined }

/** What a payment was for, by the merchant category code (ISO 18245) that the file says, or else by the name of who got it. */
export function categoryOf({ name, amountMinor, merchantCode }: Payee): Category {
  if (merchantCode !== undefined && /^\d{4}$/.test(merchantCode)) return merchantsOf(merchantCode).category
  const known = WORDS.find(([, said]) => said.test(fold(name)))?.[0]
  if (amountMinor > 0) return known === 'transfer' ? 'transfer' : 'income'
  return known ?? (SHOPS.test(fold(name)) ? 'shopping' : 'other')
}
