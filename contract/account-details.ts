import { z } from 'zod'

/** What others need to pay a customer's current account from another bank. */
export const accountDetails = z.object({
  holderName: z.string(),
  bankName: z.string(),
  routingNumber: z.string(),
  accountNumber: z.string(),
})
export type AccountDetails = z.infer<typeof accountDetails>

/** null where other banks cannot reach this one. */
export const accountDetailsResponse = z.object({ details: accountDetails.nullable() })

/**
 * Digits in groups of four, as people read them out. What parts them keeps the groups in order where one reads from the right (a
 * common separator between numbers, Unicode's annex 9), and on one line.
 */
export const grouped = (digits: string): string => digits.replaceAll(/(\d{4})(?=\d)/g, '$1\u00a0')
