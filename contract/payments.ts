import { z } from 'zod'
import { transaction } from '#contract/accounts.ts'
import { amountMinor, asset, instant, typedText } from '#contract/common.ts'

/** The number of days within which a recipient who is not a customer yet can claim a payment. */
export const CLAIM_DAYS = 7

export const sendRequest = z.strictObject({
  /** The recipient's email address or phone number, in any common spelling. */
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
  /** True if the customer marked the contact as a favorite. Favorites are listed first. */
  favourite: z.boolean(),
  /** True if the customer has sent money to the contact. A person who only shares a bill with the customer is a contact too. */
  paid: z.boolean(),
})
export type Contact = z.infer<typeof contact>

/**
 * The customer's contacts. `reviewAboveMinor` is an amount in US cents. The screen shows a larger payment for review before it
 * is sent.
 */
export const contactList = z.object({ contacts: z.array(contact), reviewAboveMinor: amountMinor })

/** The maximum number of contacts in a search result. */
export const MAX_CONTACTS = 100

export const contactSearch = z.strictObject({ q: typedText.max(100).default('') })
/** The contacts that match a search. `more` is true if further contacts match. A longer search text narrows the result. */
export const contactSearchResponse = z.object({ contacts: z.array(contact), more: z.boolean() })

/** Identifies a contact by the email address that the list of contacts contains. */
export const contactAddress = z.strictObject({ email: typedText.max(254) })
export const contactMark = contactAddress.extend({ favourite: z.boolean() })

/** A payment that can be claimed, as a visitor of its link sees it. */
export const claim = z.object({
  senderName: z.string(),
  amountMinor,
  asset,
  note: z.string().nullable(),
  status: z.enum(['open', 'claimed', 'returned']),
  expiresAt: instant,
  /** True if the signed-in customer sent the payment. The sender cannot claim it. */
  own: z.boolean(),
})
export type Claim = z.infer<typeof claim>
export const claimResponse = z.object({ transaction })
