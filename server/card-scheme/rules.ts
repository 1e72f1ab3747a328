import { dayOf } from '#server/calendar/zone.ts'
import type { PaymentMessage } from '#contract/card-scheme.ts'
import type { DeclineReason } from '#contract/decline-reasons.ts'
import type { Card } from '#server/cards/card.ts'
import type { Policy } from '#server/bank/policy.ts'

/** All that decides whether a card may pay, but for the money, which the ledger decides. */
export type Circumstances = {
  /** Null where no card has the number. */
  card: Card | null
  /** The right one, of that number and the expiry that is shown. */
  cvv: string
  /** Whether too many wrong guesses keep the card from paying online at this moment. */
  locked: boolean
  /** Whether the customer may move money at all before they are verified. */
  mayPay: boolean
  /** What the customer owes the bank, and what payments at the shop cost it, US cents. */
  owedMinor: number
  shopLossMinor: number
  /** What the card's payments of this calendar month come to, US cents. */
  usedMinor: number
  /** Business time. */
  now: Date
}

type CardRules = Pick<Policy, 'cardScheme' | 'cards' | 'limits' | 'losses'>

/** Recurring payments have no CVV, for shops must not keep it. */
const isOnline = ({ entry }: PaymentMessage): boolean => entry === 'online' || entry === 'recurring'

/**
 * The first reason to decline a payment, in the order of DECLINE_REASONS; null where there is none. What proves that who
 * pays has the card is looked at before anything that tells how the card stands.
 */
export function reasonToDecline(policy: CardRules, message: PaymentMessage, on: Circumstances): DeclineReason | null {
  const { card } = on
  if (!card) return 'unknown_card'
  if (card.status === 'removed') return 'card_removed'
  if (dayOf(on.now) > expiryShown(card, message)) return 'card_expired'
  return (
    reasonAgainstHolder(message, card, on) ??
    reasonAgainstUse(policy, message, card, on) ??
    reasonAgainstAmount(policy, message, card, on)
  )
}

/** '12/28', as it is printed on a card. */
function printed(expiresOn: string): string {
  const [year = '', month = ''] = expiresOn.split('-')
  return `${month}/${year.slice(2)}`
}

/**
 * The last day by which a payment is judged: that of the card before its renewal where the payment shows it. Shops that collect again and again
 * go on with what they know.
 */
export function expiryShown({ expiresOn, previousExpiresOn }: Card, { card, entry }: PaymentMessage): string {
  const isOld =
    previousExpiresOn !== null && card.expiry === printed(previousExpiresOn) && card.expiry !== printed(expiresOn)
  return isOld && entry !== 'recurring' ? previousExpiresOn : expiresOn
}

function reasonAgainstHolder(message: PaymentMessage, card: Card, on: Circumstances): DeclineReason | null {
  const { expiry, cvv } = message.card
  if (isOnline(message) && on.locked) return 'online_locked'
  const known = [card.expiresOn, ...(card.previousExpiresOn === null ? [] : [card.previousExpiresOn])]
  if (!known.some((expiresOn) => expiry === printed(expiresOn))) return 'wrong_expiry'
  // A chip proves the card by itself. To compare a CVV there would let it be guessed while online payments are locked.
  if (!isOnline(message)) return null
  if (cvv === undefined ? message.entry === 'online' : cvv !== on.cvv) return 'wrong_cvv'
  return null
}

function reasonAgainstUse(
  { cardScheme, losses }: CardRules,
  message: PaymentMessage,
  card: Card,
  on: Circumstances,
): DeclineReason | null {
  const { merchant, entry } = message
  if (card.status === 'frozen') return 'card_frozen'
  if (card.usedAt) return 'single_use_spent'
  if (!on.mayPay) return 'not_verified'
  if (on.owedMinor >= losses.customerMinor) return 'owes_bank'
  if (cardScheme.blockedMccs.includes(merchant.mcc)) return 'blocked_category'
  if (on.shopLossMinor >= losses.shopMinor) return 'blocked_shop'
  if (merchant.country !== cardScheme.country && !card.abroad) return 'abroad_off'
  if (isOnline(message) && !card.online) return 'online_off'
  if (entry === 'contactless' && !card.contactless) return 'contactless_off'
  return null
}

function reasonAgainstAmount(
  { limits, cards }: CardRules,
  { amountMinor }: PaymentMessage,
  { paymentLimitMinor, monthLimitMinor }: Card,
  { usedMinor }: Circumstances,
): DeclineReason | null {
  const most = mostOf({ limits, cards })
  if (amountMinor > most.card_maximum) return 'card_maximum'
  if (usedMinor + amountMinor > most.month_maximum) return 'month_maximum'
  if (paymentLimitMinor !== null && amountMinor > paymentLimitMinor) return 'payment_limit'
  if (monthLimitMinor !== null && usedMinor + amountMinor > monthLimitMinor) return 'month_limit'
  return null
}

/** What no limit of a card can be raised over, by what is declined above it. */
export const mostOf = ({ limits, cards }: Pick<CardRules, 'limits' | 'cards'>) =>
  ({
    card_maximum: Math.min(cards.paymentMinor, limits.out.operationMinor),
    month_maximum: cards.monthMinor,
  }) satisfies Partial<Record<DeclineReason, number>>

/** What is as good as guessing: whoever has the card knows both. */
export const isGuess = (reason: DeclineReason | null): boolean => reason === 'wrong_cvv' || reason === 'wrong_expiry'
