import type { Deps } from '#server/platform/deps.ts'
import {
  createCustomer,
  createCustomerOnce,
  type Customer,
  type NewCustomer,
} from '#server/identity/customers/customers.ts'
import type { Applicant } from '#server/identity/sessions/visitors.ts'
import { somebody } from '#server/sample/people.ts'
import { openSampleCustomer } from '#server/sample/story.ts'

/**
 * Opens a customer of the details given or, without any, somebody invented. Where the policy says so they bring the
 * sample story with them, else nothing. With a request's key they are opened once. Throws what createCustomer refuses.
 */
export async function openCustomer(deps: Deps, applicant: Applicant, details?: NewCustomer): Promise<Customer> {
  if (deps.policy.newCustomersBringAStory) return openSampleCustomer(deps, applicant, details)
  const { key } = applicant
  const person = details ?? somebody()
  return key ? (await createCustomerOnce(deps, person, key)).customer : createCustomer(deps, person)
}
