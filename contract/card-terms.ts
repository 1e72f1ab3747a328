/** The main card, which spends from the current account, or a virtual one with money of its own: for many payments or for one. */
export const CARD_KINDS = ['main', 'multi_use', 'single_use'] as const
export type CardKind = (typeof CARD_KINDS)[number]
export const VIRTUAL_CARD_KINDS = ['multi_use', 'single_use'] as const satisfies readonly CardKind[]

/** How a virtual card looks, as its holder chooses; the main card looks as the bank does. */
export const CARD_COLOURS = ['plum', 'copper', 'sky', 'moss', 'rose', 'slate'] as const
export type CardColour = (typeof CARD_COLOURS)[number]
export const CARD_DESIGNS = ['rings', 'leaves', 'river', 'grain'] as const
export type CardDesign = (typeof CARD_DESIGNS)[number]
export type CardLook = { colour: CardColour; design: CardDesign }

/** How one looks until its holder chooses. */
export const FIRST_LOOKS: Record<(typeof VIRTUAL_CARD_KINDS)[number], CardLook> = {
  multi_use: { colour: 'plum', design: 'rings' },
  single_use: { colour: 'copper', design: 'rings' },
}

/** How long a card's name may be. */
export const CARD_NAME_LENGTH = 30
/** For how long a screen shows a card's number and CVV. */
export const DETAILS_SHOWN_SECONDS = 60
/** What the main and virtual cards earn of what they pay, in the hundredth part. */
export const CASHBACK_PERCENT = 1

/** What a card may be used for: payments online, without contact, and outside the bank's own country. */
export const CARD_SWITCHES = ['online', 'contactless', 'abroad'] as const
export type CardSwitch = (typeof CARD_SWITCHES)[number]
