import { z } from 'zod'
import { amountMinor, printedText } from '#contract/common.ts'
import { DECLINE_REASONS } from '#contract/decline-reasons.ts'

export const declineReason = z.enum(DECLINE_REASONS)

/** A name that the scheme gives: to a message, or to a payment from its authorisation on. */
const schemeId = z.string().regex(/^[\w.:-]{1,64}$/)

/** How the card was presented. `recurring`: by a shop that has kept it, without the CVV, and otherwise as online. */
const entry = z.enum(['chip', 'contactless', 'online', 'recurring'])

const card = z.strictObject({
  number: z.string().regex(/^\d{12,19}$/),
  /** MM/YY. */
  expiry: z.string().regex(/^(0[1-9]|1[0-2])\/\d\d$/),
  cvv: z
    .string()
    .regex(/^\d{3,4}$/)
    .optional(),
})

const merchant = z.strictObject({
  name: printedText(100),
  /** Merchant category code, ISO 18245. */
  mcc: z.string().regex(/^\d{4}$/),
  city: printedText(100).optional(),
  /** ISO 3166-1 alpha-2. */
  country: z.string().regex(/^[A-Z]{2}$/),
})

const about = { messageId: schemeId, authorisationId: schemeId }
/**
 * The most that a payment may be, US cents. No payment comes near it, and what adds up of one payment, tips included, stays
 * an exact number.
 */
const MOST_PAID_MINOR = 1_000_000_000_000
const paidMinor = amountMinor.max(MOST_PAID_MINOR)
/** The billing amount: US cents, whatever the shop's currency. */
const amount = { amountMinor: paidMinor, asset: z.literal('USD') }
const payment = { ...about, ...amount, card, entry, merchant }

/** What a card scheme tells or asks the bank: docs/card-scheme.md. */
export const cardMessage = z.discriminatedUnion('type', [
  /** May this card pay? What is approved is held. */
  z.strictObject({ type: z.literal('authorise'), ...payment }),
  /** The scheme has approved it in the bank's absence. */
  z.strictObject({ type: z.literal('advise'), ...payment }),
  /** The shop takes what was held, or a part; `final` releases the rest. */
  z.strictObject({ type: z.literal('capture'), ...about, ...amount, final: z.boolean().default(true) }),
  /** The shop releases what is still held, or a part. */
  z.strictObject({ type: z.literal('reverse'), ...about, amountMinor: paidMinor.optional() }),
  /** The shop gives back what it took, or a part. */
  z.strictObject({ type: z.literal('refund'), ...about, ...amount }),
  /** The shop will not take what is still held. */
  z.strictObject({ type: z.literal('expire'), ...about }),
])
export type CardMessage = z.infer<typeof cardMessage>
export type PaymentMessage = Extract<CardMessage, { type: 'authorise' | 'advise' }>
export type ClearingMessage = Exclude<CardMessage, PaymentMessage>

/** What the bank answers where it does not refuse the message itself. */
export const cardAnswer = z.object({
  messageId: schemeId,
  authorisationId: schemeId,
  outcome: z.enum(['approved', 'declined', 'done']),
  reason: declineReason.optional(),
})
export type CardAnswer = z.infer<typeof cardAnswer>
