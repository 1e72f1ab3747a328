/** Why a card payment is declined, in the order in which it is looked at, and what its customer reads. */
export const DECLINE_REASON_TEXTS = {
  unknown_card: "We don't have a card with this number.",
  card_removed: 'This card has been removed.',
  card_expired: 'This card has expired.',
  online_locked: "This card can't pay online for an hour, because its details were entered wrong too many times.",
  wrong_expiry: "The expiry date was wrong. If that wasn't you, freeze your card.",
  wrong_cvv: "The security code was wrong. If that wasn't you, freeze your card.",
  card_frozen: 'Your card is frozen. Unfreeze it to pay.',
  single_use_spent: 'This single-use card has already made its payment.',
  not_verified: 'Verify your identity to pay by card.',
  owes_bank: 'You owe Alder for earlier payments. Add money to pay it back, then pay again.',
  blocked_category: "Alder cards can't be used for gambling or to buy cash.",
  blocked_shop: "Alder cards can't be used at this shop at the moment.",
  abroad_off: 'Payments abroad are off for this card. Turn them on to pay.',
  online_off: 'Online payments are off for this card. Turn them on to pay.',
  contactless_off: 'Contactless payments are off for this card. Turn them on, or insert your card.',
  /** `most`: an amount. No limit of a card can be raised over these two. */
  card_maximum: 'This is over the most a card can pay, {most}.',
  month_maximum: 'It would take this card over the most a card can pay in a month, {most}.',
  payment_limit: "It's more than this card can pay in one go. You can change the limit in Cards.",
  month_limit: 'It would take this card over its monthly limit. You can change the limit in Cards.',
  day_limit: 'It would take you over your daily limit. Please try again tomorrow.',
  insufficient_funds: "There isn't enough money. Add money to pay.",
} as const
export type DeclineReason = keyof typeof DECLINE_REASON_TEXTS

export const DECLINE_REASONS = Object.keys(DECLINE_REASON_TEXTS) as [DeclineReason, ...DeclineReason[]]
