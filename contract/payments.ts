import { z } from 'zod'
import { transaction } from '#contract/accounts.ts'
import { amountMinor, asset, instant, typedText } from '#contract/common.ts'

/** How long money sent to someone who is not a customer waits for them. */
export const CLAIM_DAYS = 7

export const sendRequest = z.strictObject({
  /** An email address or a phone number, in any common spelling. */
  recipient: typedText.min(1).max(254),
  amountMinor,
  asset: z.literal('USD'),
  note: typedText.max(140).optional(),
})
export type SendRequest = z.infer<typeof sendRequest>

export const sendResponse = z.object({ transaction })

export const contact = z.object({ name: z.string(), email: z.string(), initials: z.string() })
export type Contact = z.infer<typeof contact>
export const contactList = z.object({ contacts: z.array(contact) })

/** What the holder of a claim link sees. */
export const claim = z.object({
  senderName: z.string(),
  amountMinor,
  asset,
  note: z.string().nullable(),
  status: z.enum(['open', 'claimed', 'returned']),
  expiresAt: instant,
  /** Whether the one who asks has sent it, and so cannot take it. */
  own: z.boolean(),
})
export type Claim = z.infer<typeof claim>
export const claimResponse = z.object({ transaction })
