import { z } from 'zod'
import { amountMinor, printedText } from '#contract/common.ts'
import { DECLINE_REASONS } from '#contract/decline-reasons.ts'

export const declineReason = z.enum(DECLINE_REASONS)

/** An id that the scheme assigns to a message, or to a payment at its authorization. */
const schemeId = z.string().regex(/^[\w.:-]{1,64}$/)

/**
 * The way in which the shop received the card's data. `recurring` means that the shop had stored the card. A recurring payment
 * follows the rules of `online`, with two exceptions: the CVV may be missing, and the old expiry date of a renewed card stays
 * valid.
 */
const entry = z.enum(['chip', 'contactless', 'online', 'recurring'])

const card = z.strictObject({
  number: z.string().regex(/^\d{12,19}$/),
  /** The expiry, MM/YY. */
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

const messageIds = { messageId: schemeId, authorisationId: schemeId }
/**
 * The maximum amount of a payment in US cents. It is far above any real payment. It is also small enough that the sum of all
 * messages of a payment, including tips, is an exact integer.
 */
const MAX_PAID_MINOR = 1_000_000_000_000
const paidMinor = amountMinor.max(MAX_PAID_MINOR)
/** The billing amount in US cents. The shop's currency may differ. */
const amount = { amountMinor: paidMinor, asset: z.literal('USD') }
const payment = { ...messageIds, ...amount, card, entry, merchant }

/** A message from a card scheme to the bank. docs/card-scheme.md describes the protocol. */
export const cardMessage = z.discriminatedUnion('type', [
  /** Requests an authorization. An approved amount is held. */
  z.strictObject({ type: z.literal('authorise'), ...payment }),
  /** Reports a payment that the scheme approved in place of the bank while the bank was unreachable. */
  z.strictObject({ type: z.literal('advise'), ...payment }),
  /** Posts the held amount or a part of it. If `final` is true, the remaining held amount is released. */
  z.strictObject({ type: z.literal('capture'), ...messageIds, ...amount, final: z.boolean().default(true) }),
  /** Releases a part of the held amount. Without `amountMinor`, the whole held amount is released. */
  z.strictObject({ type: z.literal('reverse'), ...messageIds, amountMinor: paidMinor.optional() }),
  /** Refunds the captured amount or a part of it. */
  z.strictObject({ type: z.literal('refund'), ...messageIds, ...amount }),
  /** Reports that the shop will not capture the remaining held amount. */
  z.strictObject({ type: z.literal('expire'), ...messageIds }),
])
export type CardMessage = z.infer<typeof cardMessage>
export type PaymentMessage = Extract<CardMessage, { type: 'authorise' | 'advise' }>
export type ClearingMessage = Exclude<CardMessage, PaymentMessage>

/** The bank's answer to a message that it accepts as well-formed. */
export const cardAnswer = z.object({
  messageId: schemeId,
  authorisationId: schemeId,
  outcome: z.enum(['approved', 'declined', 'done']),
  reason: declineReason.optional(),
})
export type CardAnswer = z.infer<typeof cardAnswer>
