/**
 * The kinds of cards. The main card spends from the current account. A virtual card has its own money: `multi_use` for many
 * payments, `single_use` for one payment.
 */
export const CARD_KINDS = ['main', 'multi_use', 'single_use'] as const
export type CardKind = (typeof CARD_KINDS)[number]
export const VIRTUAL_CARD_KINDS = ['multi_use', 'single_use'] as const satisfies readonly CardKind[]

/** The colors of virtual cards. The holder of a virtual card chooses its color. The main card has the bank's own look. */
export const CARD_COLORS = ['plum', 'copper', 'sky', 'moss', 'rose', 'slate'] as const
export type CardColor = (typeof CARD_COLORS)[number]
export const CARD_DESIGNS = ['rings', 'leaves', 'river', 'grain'] as const
export type CardDesign = (typeof CARD_DESIGNS)[number]
export type CardLook = { colour: CardColor; design: CardDesign }

/** The look of each kind of virtual card until its holder chooses another look. */
export const FIRST_LOOKS: Record<(typeof VIRTUAL_CARD_KINDS)[number], CardLook> = {
  multi_use: { colour: 'plum', design: 'rings' },
  single_use: { colour: 'copper', design: 'rings' },
}

/** The maximum length of a card's name, in characters. */
export const CARD_NAME_LENGTH = 30
/** The time for which a screen shows a card's number and CVV. */
export const DETAILS_SHOWN_SECONDS = 60
/** The cashback on payments with main and virtual cards, in percent of the payment. */
export const CASHBACK_PERCENT = 1

/** The uses that a customer can switch off: payments online, contactless, and outside the bank's own country. */
export const CARD_SWITCHES = ['online', 'contactless', 'abroad'] as const
export type CardSwitch = (typeof CARD_SWITCHES)[number]
