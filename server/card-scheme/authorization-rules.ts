import { dayOf } from '#server/calendar/zone.ts'
import type { PaymentMessage } from '#contract/card-scheme.ts'
import type { DeclineReason } from '#contract/decline-reasons.ts'
import type { CardRecord } from '#server/cards/card.ts'
import type { Policy } from '#server/bank/policy.ts'

/** All facts that decide whether a card may pay, except the money, which the ledger checks. */
export type Circumstances = {
  /** The card; null if no card has the number. */
  card: CardRecord | null
  /** The correct CVV for the number and the expiry date in the message. */
  cvv: string
  /** Whether the card cannot pay online at this moment because of too many wrong guesses. */
  locked: boolean
  /** Whether the customer may pay by card: the customer is verified, or the bank has no limits for unverified customers. */
  mayPay: boolean
  /** The customer's debt to the bank, and the bank's losses at the shop through all customers, in US cents. */
  owedMinor: number
  shopLossMinor: number
  /** The sum of the card's payments in this calendar month, in US cents. */
  usedMinor: number
  /** The business time. */
  now: Date
}

type CardRules = Pick<Policy, 'cardScheme' | 'cards' | 'limits' | 'losses'>

/**
 * Whether the payment is made online or is a recurring payment. A recurring payment may lack the CVV, because shops must not
 * store it.
 */
const isOnline = ({ entry }: PaymentMessage): boolean => entry === 'online' || entry === 'recurring'

/**
 * Returns the first reason to decline a payment, in the order of DECLINE_REASONS; null if there is no reason. Proofs of
 * possession are checked before the card's settings and limits, which a decline would reveal.
 */
export function reasonToDecline(
  policy: CardRules,
  message: PaymentMessage,
  circumstances: Circumstances,
): DeclineReason | null {
  const { card } = circumstances
  if (!card) return 'unknown_card'
  if (card.status === 'removed') return 'card_removed'
  if (dayOf(circumstances.now) > expectedExpiry(card, message)) return 'card_expired'
  return (
    reasonAgainstHolder(message, card, circumstances) ??
    reasonAgainstUse(policy, message, card, circumstances) ??
    reasonAgainstAmount(policy, message, card, circumstances)
  )
}

/** Formats an expiry date as printed on a card: '12/28'. */
function printed(expiresOn: string): string {
  const [year = '', month = ''] = expiresOn.split('-')
  return `${month}/${year.slice(2)}`
}

/**
 * Returns the date up to which a card can make a payment, YYYY-MM-DD. For a payment that shows the expiry date from before the
 * card's renewal, it is that earlier date. Recurring payments are the exception: shops keep using the earlier date, so the
 * card's current date applies.
 */
export function expectedExpiry({ expiresOn, previousExpiresOn }: CardRecord, { card, entry }: PaymentMessage): string {
  const isOld =
    previousExpiresOn !== null && card.expiry === printed(previousExpiresOn) && card.expiry !== printed(expiresOn)
  return isOld && entry !== 'recurring' ? previousExpiresOn : expiresOn
}

function reasonAgainstHolder(
  message: PaymentMessage,
  card: CardRecord,
  circumstances: Circumstances,
): DeclineReason | null {
  const { expiry, cvv } = message.card
  if (isOnline(message) && circumstances.locked) return 'online_locked'
  const expiryDates = [card.expiresOn, ...(card.previousExpiresOn === null ? [] : [card.previousExpiresOn])]
  if (!expiryDates.some((expiresOn) => expiry === printed(expiresOn))) return 'wrong_expiry'
  // A chip proves possession of the card. A CVV check here would allow guessing while online payments are locked.
  if (!isOnline(message)) return null
  if (cvv === undefined ? message.entry === 'online' : cvv !== circumstances.cvv) return 'wrong_cvv'
  return null
}

function reasonAgainstUse(
  { cardScheme, losses }: CardRules,
  message: PaymentMessage,
  card: CardRecord,
  circumstances: Circumstances,
): DeclineReason | null {
  const { merchant, entry } = message
  if (card.status === 'frozen') return 'card_frozen'
  if (card.usedAt) return 'single_use_spent'
  if (!circumstances.mayPay) return 'not_verified'
  if (circumstances.owedMinor >= losses.customerMinor) return 'owes_bank'
  if (cardScheme.blockedMccs.includes(merchant.mcc)) return 'blocked_category'
  if (circumstances.shopLossMinor >= losses.shopMinor) return 'blocked_shop'
  if (merchant.country !== cardScheme.country && !card.abroad) return 'abroad_off'
  if (isOnline(message) && !card.online) return 'online_off'
  if (entry === 'contactless' && !card.contactless) return 'contactless_off'
  return null
}

function reasonAgainstAmount(
  { limits, cards }: CardRules,
  { amountMinor }: PaymentMessage,
  { paymentLimitMinor, monthLimitMinor }: CardRecord,
  { usedMinor }: Circumstances,
): DeclineReason | null {
  const maximums = mostOf({ limits, cards })
  if (amountMinor > maximums.card_maximum) return 'card_maximum'
  if (usedMinor + amountMinor > maximums.month_maximum) return 'month_maximum'
  if (paymentLimitMinor !== null && amountMinor > paymentLimitMinor) return 'payment_limit'
  if (monthLimitMinor !== null && usedMinor + amountMinor > monthLimitMinor) return 'month_limit'
  return null
}

/** Returns the bank's own limits for card payments, by the reason for a decline. No limit of a card can exceed them. */
export const mostOf = ({ limits, cards }: Pick<CardRules, 'limits' | 'cards'>) =>
  ({
    card_maximum: Math.min(cards.paymentMinor, limits.out.operationMinor),
    month_maximum: cards.monthMinor,
  }) satisfies Partial<Record<DeclineReason, number>>

/**
 * Whether a decline counts as a wrong guess of the CVV or the expiry date. A person who holds the card can read both from it.
 */
export const isGuess = (reason: DeclineReason | null): boolean => reason === 'wrong_cvv' || reason === 'wrong_expiry'
