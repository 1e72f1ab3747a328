import { z } from 'zod'
import { amountMinor, day, instant, typedText } from '#contract/common.ts'

/** The kinds of external accounts: an account or a card of another bank, a wallet, or a payment service. */
export const LINKED_KINDS = ['bank', 'card', 'wallet', 'payment_service'] as const
export type LinkedKind = (typeof LINKED_KINDS)[number]

/** The reasons why another bank returns a payment. */
export const RETURN_REASONS = ['account_closed', 'name_mismatch', 'account_not_found', 'refused', 'other'] as const
export type ReturnReason = (typeof RETURN_REASONS)[number]

/**
 * The customer confirms a new external account by entering the amounts of two test deposits. The customer has `VERIFY_TRIES`
 * attempts within `VERIFY_DAYS` days.
 */
export const VERIFY_TRIES = 3
export const VERIFY_DAYS = 10

/** An external account, as its customer sees it. It never contains the account number. */
export const linkedAccount = z.object({
  id: z.string(),
  kind: z.enum(LINKED_KINDS),
  /** The name of the other bank or the service. */
  name: z.string(),
  holderName: z.string(),
  lastFour: z.string().nullable(),
  email: z.string().nullable(),
  expiresOn: day.nullable(),
  /**
   * `failed`: the customer entered wrong amounts too often, or a test deposit was returned. `expired`: the customer did not
   * enter the amounts in time.
   */
  status: z.enum(['pending', 'verified', 'failed', 'expired']),
  triesLeft: z.int(),
  /**
   * The time until which the customer can enter the amounts of the test deposits. Null if the account does not wait for them.
   */
  expiresAt: instant.nullable(),
})
export type LinkedAccount = z.infer<typeof linkedAccount>

export const linkedAccounts = z.object({
  accounts: z.array(linkedAccount),
  /**
   * The time at which a payout arrives: after a number of business days, or when the payment provider confirms it. Null if this
   * bank cannot make payouts.
   */
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

/** The amounts of the two test deposits in US cents, in either order. */
export const verifyRequest = z.strictObject({ firstMinor: amountMinor, secondMinor: amountMinor })
export type VerifyRequest = z.infer<typeof verifyRequest>

export const linkedAccountResponse = z.object({ account: linkedAccount })

export const linkedMoneyRequest = z.strictObject({ amountMinor, asset: z.literal('USD') })
export type LinkedMoneyRequest = z.infer<typeof linkedMoneyRequest>
