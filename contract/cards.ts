import { z } from 'zod'
import { transaction } from '#contract/accounts.ts'
import { CARD_COLOURS, CARD_DESIGNS, CARD_KINDS, CARD_NAME_LENGTH, VIRTUAL_CARD_KINDS } from '#contract/card-terms.ts'
import { debt } from '#contract/owed.ts'
import { amountMinor, asset, day, instant, signedMinor, typedText } from '#contract/common.ts'

const look = { colour: z.enum(CARD_COLOURS), design: z.enum(CARD_DESIGNS) }
const name = typedText.min(1).max(CARD_NAME_LENGTH)
const switches = { online: z.boolean(), contactless: z.boolean(), abroad: z.boolean() }

export const card = z.object({
  id: z.string(),
  kind: z.enum(CARD_KINDS),
  status: z.enum(['active', 'frozen']),
  name: z.string(),
  /** As the holder of a virtual card chose; null for the main card. */
  look: z.object(look).nullable(),
  holderName: z.string(),
  lastFour: z.string(),
  /** The last day it works. */
  expiresOn: day,
  asset,
  /** Of the account that it spends from. */
  balanceMinor: signedMinor,
  availableMinor: signedMinor,
  paymentLimitMinor: amountMinor,
  monthLimitMinor: amountMinor,
  /** What its payments of this calendar month come to. */
  usedThisMonthMinor: z.int().nonnegative(),
  ...switches,
  /** Of a single-use card: whether it has made its payment. */
  used: z.boolean(),
})
export type Card = z.infer<typeof card>

export const cardList = z.object({
  cards: z.array(card),
  /** Whether virtual cards were ended: `/cards/past` lists them. */
  hasPast: z.boolean(),
  /** What the customer owes the bank. */
  owed: z.array(debt),
  cashback: z.object({ thisMonthMinor: z.int().nonnegative(), asset }),
  /** What the bank allows at most. */
  most: z.object({ paymentMinor: amountMinor, monthMinor: amountMinor, virtualCards: z.int() }),
})
export type CardList = z.infer<typeof cardList>

/** A virtual card that its holder has ended, or of a single-use one, its payment. */
export const pastCard = z.object({ id: z.string(), name: z.string(), lastFour: z.string(), endedAt: instant })
export type PastCard = z.infer<typeof pastCard>

export const pastCardPage = z.object({ cards: z.array(pastCard), nextCursor: z.string().nullable() })

export const newCardRequest = z.strictObject({
  name,
  kind: z.enum(VIRTUAL_CARD_KINDS),
  /** For one payment of a single-use card, for a calendar month of any other. */
  limitMinor: amountMinor,
  /** What is moved to it from the current account. */
  loadMinor: amountMinor.optional(),
  /** As the bank chooses unless told. */
  look: z.strictObject(look).optional(),
  asset: z.literal('USD'),
})
export type NewCardRequest = z.infer<typeof newCardRequest>
export const newCardResponse = z.object({ id: z.string() })

/** `name` and `look`: of virtual cards alone. */
export const cardSettings = z
  .strictObject({
    paymentLimitMinor: amountMinor,
    monthLimitMinor: amountMinor,
    ...switches,
    name,
    look: z.strictObject(look),
  })
  .partial()
export type CardSettings = z.infer<typeof cardSettings>

/** Money between a virtual card and the current account. */
export const cardMoveRequest = z.strictObject({
  direction: z.enum(['to_card', 'from_card']),
  amountMinor,
  asset: z.literal('USD'),
})
export type CardMoveRequest = z.infer<typeof cardMoveRequest>
export const cardMoveResponse = z.object({ transaction })

/** What pays: shown after a proof, and kept nowhere. */
export const cardDetails = z.object({ number: z.string(), expiresOn: day, cvv: z.string() })
export type CardDetails = z.infer<typeof cardDetails>

/** The card's account is emptied into the current account, with as much. */
export const cardRemoved = z.object({ returnedMinor: z.int().nonnegative(), asset })
