import { z } from 'zod'
import { amountMinor, day, instant, typedText } from '#contract/common.ts'

/** What a customer has elsewhere: an account at another bank, a card of one, a wallet or a payment service. */
export const LINKED_KINDS = ['bank', 'card', 'wallet', 'payment_service'] as const
export type LinkedKind = (typeof LINKED_KINDS)[number]

/** Why another bank sends money back. */
export const RETURN_REASONS = ['account_closed', 'name_mismatch', 'account_not_found', 'refused', 'other'] as const
export type ReturnReason = (typeof RETURN_REASONS)[number]

/** How often the two amounts may be given, and for how many days. */
export const VERIFY_TRIES = 3
export const VERIFY_DAYS = 10

/** An account elsewhere, as its customer sees it: never with its number. */
export const linkedAccount = z.object({
  id: z.string(),
  kind: z.enum(LINKED_KINDS),
  /** The bank's or the service's. */
  name: z.string(),
  holderName: z.string(),
  lastFour: z.string().nullable(),
  email: z.string().nullable(),
  expiresOn: day.nullable(),
  /** failed: the amounts were wrong too often, or a deposit came back. expired: nobody gave them in time. */
  status: z.enum(['pending', 'verified', 'failed', 'expired']),
  triesLeft: z.int(),
  /** Until when the deposits verify it; null where none were sent. */
  expiresAt: instant.nullable(),
})
export type LinkedAccount = z.infer<typeof linkedAccount>

export const linkedAccounts = z.object({
  accounts: z.array(linkedAccount),
  /** When money that is moved out arrives; null where this bank is connected to nobody who could take it. */
  payouts: z.enum(['business_days', 'when_confirmed']).nullable(),
})
export type LinkedAccounts = z.infer<typeof linkedAccounts>

export const linkRequest = z.strictObject({
  bankName: typedText.min(1).max(60),
  holderName: typedText.min(1).max(100),
  routingNumber: z.string().max(40),
  accountNumber: z.string().max(40),
})
export type LinkRequest = z.infer<typeof linkRequest>

/** US cents, in either order. */
export const verifyRequest = z.strictObject({ firstMinor: amountMinor, secondMinor: amountMinor })
export type VerifyRequest = z.infer<typeof verifyRequest>

export const linkedAccountResponse = z.object({ account: linkedAccount })

export const linkedMoneyRequest = z.strictObject({ amountMinor, asset: z.literal('USD') })
export type LinkedMoneyRequest = z.infer<typeof linkedMoneyRequest>
