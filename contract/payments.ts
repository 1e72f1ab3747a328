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

export const contact = z.object({
  name: z.string(),
  email: z.string(),
  initials: z.string(),
  /** Whether the customer wants it first. */
  favourite: z.boolean(),
  /** Whether the customer ever sent them money: people they split a bill with are contacts, too. */
  paid: z.boolean(),
})
export type Contact = z.infer<typeof contact>

/** `reviewAboveMinor`: a payment of more than this, in US cents, is shown for review before it is sent. */
export const contactList = z.object({ contacts: z.array(contact), reviewAboveMinor: amountMinor })

/** The most contacts that a search finds. */
export const CONTACTS_MOST = 100

export const contactSearch = z.strictObject({ q: typedText.max(100).default('') })
/** `more`: there are others that a longer search would find. */
export const contactsFound = z.object({ contacts: z.array(contact), more: z.boolean() })

/** Which contact is meant, by its address as it is listed. */
export const contactAddress = z.strictObject({ email: typedText.max(254) })
export const contactMark = contactAddress.extend({ favourite: z.boolean() })

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
