import type { MerchantKind } from '#contract/categories.ts'

const KINDS: Partial<Record<string, MerchantKind>> = {
  'Copper Kettle Coffee': 'coffee',
  'Corner Bakehouse': 'bakery',
  Greenmarket: 'groceries',
  'Harvest & Rye': 'restaurant',
  'Noodle Lantern': 'restaurant',
  'Olive Tree Kitchen': 'restaurant',
  'Café Alfama': 'coffee',
  'Tasca do Rio': 'restaurant',
  'Pastelaria Luz': 'bakery',
  'Mercado Velho': 'groceries',
  'Bar Miradouro': 'restaurant',
}

/** What one of the invented merchants is, as a card scheme would say with each charge; undefined where it adds nothing. */
export const kindOfMerchant = (merchant: string): MerchantKind | undefined => KINDS[merchant]
