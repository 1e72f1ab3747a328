import { randomUUIDv7 } from 'node:crypto'
import type { Category } from '#contract/categories.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, BookedOperation, Detail, Operation } from '#server/ledger/types.ts'
import { checkBalanceLimit, withLimits } from '#server/limits/service.ts'
import { type AlertDeps, alertReceived } from '#server/notifications/alerts.ts'

type Incoming = {
  accountId: AccountId
  payerName: string
  /** The amount in US cents. */
  amountMinor: number
  bookedAt: Date
  /** The category; income by default. */
  category?: Category
  note?: string
  /** The permanent id of the payment; a new one by default. */
  id?: string
  /** The fingerprint of the request that caused the payment. By default it is made from the payment's own fields. */
  fingerprint?: string
}

/** Returns the operation of a payment to a customer from another bank, for example a salary. */
export function incomingOperation(incoming: Incoming): Operation {
  const { accountId, payerName, amountMinor, category = 'income', note } = incoming
  const detail: Detail = { creditName: payerName, category, method: 'bank_transfer', ...(note ? { note } : {}) }
  return {
    id: incoming.id ?? randomUUIDv7(),
    kind: 'payment.incoming',
    fingerprint:
      incoming.fingerprint ??
      fingerprintOf('payment.incoming', accountId, payerName, amountMinor, category, note ?? null),
    bookedAt: incoming.bookedAt,
    legs: [{ kind: 'transfer', debit: bankAccount('ach_clearing'), credit: accountId, amountMinor, detail }],
  }
}

type Received = Omit<Incoming, 'bookedAt' | 'accountId'> & {
  /** The payee, whose current account receives the money. */
  customer: Pick<Customer, 'id' | 'currentAccountId'>
  at?: Date
}

/**
 * Books a payment from another bank as if it came from the ACH network, at the business time `at`, or now by default. Throws
 * Refusal `amount_too_large`, `day_limit_reached` and `balance_limit_reached`, and the ledger's refusals.
 */
export async function receiveIncoming(
  deps: AlertDeps & Pick<Deps, 'ledger' | 'policy' | 'log'>,
  incoming: Received,
): Promise<BookedOperation> {
  const { at: arrivedAt, customer, ...transfer } = incoming
  const accountId = customer.currentAccountId
  const bookedAt = arrivedAt ?? deps.clock.businessNow()
  const movement = { direction: 'in', amountMinor: incoming.amountMinor, countedOn: accountId } as const
  const operation = withLimits(deps, movement, incomingOperation({ ...transfer, accountId, bookedAt }))
  const booked = await deps.ledger.postWithRows({
    customerId: customer.id,
    operation,
    also: (trx) => checkBalanceLimit(deps, trx, accountId),
  })
  alertReceived(deps, customer.id, booked)
  return booked
}
