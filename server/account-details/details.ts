import type { AccountDetails } from '#contract/account-details.ts'
import { Refusal } from '#contract/errors.ts'
import { accountNumberOf } from '#server/account-details/number.ts'
import type { Config } from '#server/bank/config.ts'
import type { Customer } from '#server/identity/customers/customers.ts'

/** What others pay a customer by; null where other banks cannot reach this one. */
export function detailsOf(
  config: Pick<Config, 'secret' | 'routingNumber'>,
  { fullName, currentAccountId }: Pick<Customer, 'fullName' | 'currentAccountId'>,
): AccountDetails | null {
  const { routingNumber } = config
  if (routingNumber === null) return null
  const accountNumber = accountNumberOf(config, currentAccountId)
  return { holderName: fullName, bankName: 'Alder', routingNumber, accountNumber }
}

/** The same. Throws Refusal `not_found` where there are none. */
export function existingDetails(
  config: Pick<Config, 'secret' | 'routingNumber'>,
  customer: Pick<Customer, 'fullName' | 'currentAccountId'>,
): AccountDetails {
  const details = detailsOf(config, customer)
  if (!details) throw new Refusal('not_found')
  return details
}
