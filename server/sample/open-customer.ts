import type { Deps } from '#server/platform/deps.ts'
import {
  createCustomer,
  createCustomerOnce,
  type Customer,
  type NewCustomer,
} from '#server/identity/customers/customers.ts'
import type { Applicant } from '#server/identity/sessions/visitors.ts'
import { inventPerson } from '#server/sample/people.ts'
import { openSampleCustomer } from '#server/sample/sample-customer.ts'

/**
 * Creates a customer with the given details, or with invented ones. If the policy allows it, the customer gets the sample
 * history. A request with the same key creates only one customer. Throws the refusals of `createCustomer`.
 */
export async function openCustomer(deps: Deps, applicant: Applicant, details?: NewCustomer): Promise<Customer> {
  if (deps.policy.newCustomersBringAStory) return openSampleCustomer(deps, applicant, details)
  const { key } = applicant
  const person = details ?? inventPerson()
  return key ? (await createCustomerOnce(deps, person, key)).customer : createCustomer(deps, person)
}
