import { z } from 'zod'
import { transaction } from '#contract/accounts.ts'
import { CARD_COLORS, CARD_DESIGNS, CARD_KINDS, CARD_NAME_LENGTH, VIRTUAL_CARD_KINDS } from '#contract/card-terms.ts'
import { debt } from '#contract/owed.ts'
import { amountMinor, asset, day, instant, signedMinor, typedText } from '#contract/common.ts'

const lookFields = { colour: z.enum(CARD_COLORS), design: z.enum(CARD_DESIGNS) }
const name = typedText.min(1).max(CARD_NAME_LENGTH)
const switches = { online: z.boolean(), contactless: z.boolean(), abroad: z.boolean() }

export const card = z.object({
  id: z.string(),
  kind: z.enum(CARD_KINDS),
  status: z.enum(['active', 'frozen']),
  name: z.string(),
  /** The look of a virtual card; null for the main card. */
  look: z.object(lookFields).nullable(),
  holderName: z.string(),
  lastFour: z.string(),
  /** The last day on which the card works. */
  expiresOn: day,
  asset,
  /** The balance of the account that the card spends from. */
  balanceMinor: signedMinor,
  availableMinor: signedMinor,
  paymentLimitMinor: amountMinor,
  monthLimitMinor: amountMinor,
  /** The sum of the card's payments in this calendar month. */
  usedThisMonthMinor: z.int().nonnegative(),
  ...switches,
  /** True if a single-use card has made its payment. */
  used: z.boolean(),
})
export type Card = z.infer<typeof card>

export const cardList = z.object({
  cards: z.array(card),
  /** True if the customer has ended virtual cards: `/cards/past` lists them. */
  hasPast: z.boolean(),
  /** The customer's debts to the bank. */
  owed: z.array(debt),
  cashback: z.object({ thisMonthMinor: z.int().nonnegative(), asset }),
  /**
   * The highest payment limit and monthly limit that a card can have, and the maximum number of virtual cards of a customer.
   */
  most: z.object({ paymentMinor: amountMinor, monthMinor: amountMinor, virtualCards: z.int() }),
})
export type CardList = z.infer<typeof cardList>

/** A virtual card that its holder ended, or a single-use card that has made its payment. */
export const pastCard = z.object({ id: z.string(), name: z.string(), lastFour: z.string(), endedAt: instant })
export type PastCard = z.infer<typeof pastCard>

export const pastCardPage = z.object({ cards: z.array(pastCard), nextCursor: z.string().nullable() })

export const newCardRequest = z.strictObject({
  name,
  kind: z.enum(VIRTUAL_CARD_KINDS),
  /** For a single-use card, the limit of its payment. For other cards, the limit of a calendar month. */
  limitMinor: amountMinor,
  /** The amount to move to the card from the current account. */
  loadMinor: amountMinor.optional(),
  /** The look of the card. If it is missing, the bank chooses the look. */
  look: z.strictObject(lookFields).optional(),
  asset: z.literal('USD'),
})
export type NewCardRequest = z.infer<typeof newCardRequest>
export const newCardResponse = z.object({ id: z.string() })

/** The changed settings of a card. `name` and `look` apply to virtual cards only. */
export const cardSettings = z
  .strictObject({
    paymentLimitMinor: amountMinor,
    monthLimitMinor: amountMinor,
    ...switches,
    name,
    look: z.strictObject(lookFields),
  })
  .partial()
export type CardSettings = z.infer<typeof cardSettings>

/** A transfer between a virtual card and the current account. */
export const cardMoveRequest = z.strictObject({
  direction: z.enum(['to_card', 'from_card']),
  amountMinor,
  asset: z.literal('USD'),
})
export type CardMoveRequest = z.infer<typeof cardMoveRequest>
export const cardMoveResponse = z.object({ transaction })

/** The card details that are needed to pay. They are shown after a step-up check and are not stored. */
export const cardDetails = z.object({ number: z.string(), expiresOn: day, cvv: z.string() })
export type CardDetails = z.infer<typeof cardDetails>

/** The response after a card was removed. `returnedMinor` is the card's balance, which went back to the current account. */
export const cardRemovedResponse = z.object({ returnedMinor: z.int().nonnegative(), asset })
