import type { AccountDetails } from '#contract/account-details.ts'
import { Refusal } from '#contract/errors.ts'
import { accountNumberOf } from '#server/account-details/number.ts'
import type { Config } from '#server/bank/config.ts'
import type { Customer } from '#server/identity/customers/customers.ts'

/** Returns the bank and account numbers with which others pay a customer; null if other banks cannot reach this bank. */
export function accountDetailsOf(
  config: Pick<Config, 'secret' | 'routingNumber'>,
  { fullName, currentAccountId }: Pick<Customer, 'fullName' | 'currentAccountId'>,
): AccountDetails | null {
  const { routingNumber } = config
  if (routingNumber === null) return null
  const accountNumber = accountNumberOf(config, currentAccountId)
  return { holderName: fullName, bankName: 'Alder', routingNumber, accountNumber }
}

/** Returns a customer's account details. Throws Refusal `not_found` if there are none. */
export function requireAccountDetails(
  config: Pick<Config, 'secret' | 'routingNumber'>,
  customer: Pick<Customer, 'fullName' | 'currentAccountId'>,
): AccountDetails {
  const details = accountDetailsOf(config, customer)
  if (!details) throw new Refusal('not_found')
  return details
}
