import type { Deps } from '#server/platform/deps.ts'
import { createCustomer, type Customer, type NewCustomer } from '#server/identity/customers/customers.ts'
import { somebody } from '#server/sample/people.ts'
import { openSampleCustomer } from '#server/sample/story.ts'

/**
 * Opens a customer of the details given or, without any, somebody invented. Where the policy says so they bring the
 * sample story with them, else nothing. Throws what createCustomer refuses.
 */
export async function openCustomer(deps: Deps, details?: NewCustomer): Promise<Customer> {
  if (deps.policy.newCustomersBringAStory) return openSampleCustomer(deps, details)
  return createCustomer(deps, details ?? somebody())
}
