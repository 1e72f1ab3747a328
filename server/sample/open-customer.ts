import type { Bank } from '#server/bank.ts'
import { createCustomer, type Customer, type NewCustomer } from '#server/identity/customers.ts'
import { somebody } from '#server/sample/people.ts'
import { openSampleCustomer } from '#server/sample/story.ts'

/**
 * Opens a customer of the details given or, without any, somebody invented. Where the policy says so they bring the
 * sample story with them, else nothing. Throws what createCustomer refuses.
 */
export async function openCustomer(bank: Bank, details?: NewCustomer): Promise<Customer> {
  if (bank.policy.newCustomersBringAStory) return openSampleCustomer(bank, details)
  return createCustomer(bank, details ?? somebody())
}
