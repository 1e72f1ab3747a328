import type { PaymentMessage } from '#contract/card-scheme.ts'

type Shop = { mcc: string; city?: string; country?: string }

/** The invented shops of the sample bank, in the form of a card scheme. */
const SHOPS = {
  'Copper Kettle Coffee': { mcc: '5814' },
  'Corner Bakehouse': { mcc: '5462' },
  Greenmarket: { mcc: '5411' },
  'Harvest & Rye': { mcc: '5812' },
  'Noodle Lantern': { mcc: '5812' },
  'Olive Tree Kitchen': { mcc: '5812' },
  'Fieldnote Books': { mcc: '5942' },
  'Maple & Thread': { mcc: '5651' },
  'Brightside Home': { mcc: '5719' },
  'Pixel Harbor': { mcc: '5732' },
  'Wren Papers': { mcc: '5943' },
  'City Metro': { mcc: '4111' },
  'Swift Cabs': { mcc: '4121' },
  'Northline Rail': { mcc: '4112' },
  Fuelway: { mcc: '5541' },
  'Lumen Cinema': { mcc: '7832' },
  Streamly: { mcc: '5815' },
  'The Attic Stage': { mcc: '7922' },
  'Arcade Nine': { mcc: '7994' },
  'Café Alfama': { mcc: '5814', city: 'Lisbon', country: 'PT' },
  'Tasca do Rio': { mcc: '5812', city: 'Lisbon', country: 'PT' },
  'Pastelaria Luz': { mcc: '5462', city: 'Lisbon', country: 'PT' },
  'Mercado Velho': { mcc: '5411', city: 'Lisbon', country: 'PT' },
  'Bar Miradouro': { mcc: '5813', city: 'Lisbon', country: 'PT' },
} as const satisfies Record<string, Shop>

export type ShopName = keyof typeof SHOPS

/** The place of shops that are not abroad. */
const AT_HOME = { city: 'Portland', country: 'US' }

export function shopByName(name: ShopName): PaymentMessage['merchant'] {
  return { name, ...AT_HOME, ...SHOPS[name] }
}
