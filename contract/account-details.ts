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
