/**
 * The reasons why a card payment is declined, in the order in which they are checked, with the text that the customer reads.
 */
export const DECLINE_REASON_TEXTS = {
  unknown_card: "We don't have a card with this number.",
  card_removed: 'This card has been removed.',
  card_expired: 'This card has expired.',
  online_locked:
    "You can't pay online with this card for an hour, because its details were entered incorrectly too many times.",
  wrong_expiry: "The expiration date was wrong. If that wasn't you, freeze your card.",
  wrong_cvv: "The security code was wrong. If that wasn't you, freeze your card.",
  card_frozen: 'Your card is frozen. Unfreeze it to pay.',
  single_use_spent: 'This single-use card has already been used.',
  not_verified: 'Verify your identity to pay by card.',
  owes_bank: 'You owe Alder for earlier payments. Add money to pay it back, then pay again.',
  blocked_category: "Alder cards can't be used for gambling or to get cash.",
  blocked_shop: "Alder cards can't be used at this merchant right now.",
  abroad_off: 'Payments abroad are off for this card. Turn them on to pay.',
  online_off: 'Online payments are off for this card. Turn them on to pay.',
  contactless_off: 'Contactless payments are off for this card. Turn them on, or insert your card.',
  /** `most` is an amount, in this text and the next: the highest limit that a customer can set for a card. */
  card_maximum: 'This is over the {most} maximum for one card payment.',
  month_maximum: 'This would take the card over its {most} monthly maximum.',
  payment_limit: "This is over the card's limit for one payment. You can change the limit in Cards.",
  month_limit: 'This would take the card over its monthly limit. You can change the limit in Cards.',
  day_limit: 'This would take you over your daily limit. Please try again tomorrow.',
  insufficient_funds: "There isn't enough money. Add money to pay.",
} as const
export type DeclineReason = keyof typeof DECLINE_REASON_TEXTS

export const DECLINE_REASONS = Object.keys(DECLINE_REASON_TEXTS) as [DeclineReason, ...DeclineReason[]]
