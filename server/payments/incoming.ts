import { randomUUIDv7 } from 'node:crypto'
import type { Category } from '#contract/categories.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Booked, Detail, Operation } from '#server/ledger/types.ts'
import { checkBalanceLimit, limited } from '#server/limits/service.ts'
import { type AlertDeps, alertReceived } from '#server/notifications/alerts.ts'

type Incoming = {
  accountId: AccountId
  payerName: string
  /** US cents. */
  amountMinor: number
  bookedAt: Date
  /** Income unless told. */
  category?: Category
  note?: string
  /** Names the payment for ever; a new one unless told. */
  id?: string
  /** Of the request behind the payment; of the payment itself unless told. */
  fingerprint?: string
}

/** The operation by which somebody at another bank pays a customer: a salary, say. */
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
  /** Who is paid, into their current account. */
  customer: Pick<Customer, 'id' | 'currentAccountId'>
  at?: Date
}

/**
 * Books a payment from another bank, as the ACH network would tell of it; now unless `at` tells a business time.
 * Throws Refusal `amount_too_large`, `day_limit_reached` and `balance_limit_reached`, and what the ledger refuses.
 */
export async function receiveIncoming(
  deps: AlertDeps & Pick<Deps, 'ledger' | 'policy' | 'log'>,
  incoming: Received,
): Promise<Booked> {
  const { at, customer, ...rest } = incoming
  const accountId = customer.currentAccountId
  const bookedAt = at ?? deps.clock.businessNow()
  const movement = { direction: 'in', amountMinor: incoming.amountMinor, countedOn: accountId } as const
  const operation = limited(deps, movement, incomingOperation({ ...rest, accountId, bookedAt }))
  const booked = await deps.ledger.postWithRows({
    customerId: customer.id,
    operation,
    also: (trx) => checkBalanceLimit(deps, trx, accountId),
  })
  alertReceived(deps, customer.id, booked)
  return booked
}
