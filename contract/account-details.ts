import { z } from 'zod'

/** The details that other people need to pay into a customer's current account from another bank. */
export const accountDetails = z.object({
  holderName: z.string(),
  bankName: z.string(),
  routingNumber: z.string(),
  accountNumber: z.string(),
})
export type AccountDetails = z.infer<typeof accountDetails>

/** The response with the account details. `details` is null if other banks cannot send money to this bank. */
export const accountDetailsResponse = z.object({ details: accountDetails.nullable() })
