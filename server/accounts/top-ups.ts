import type { z } from 'zod'
import type { topUpRequest, Transaction } from '#contract/accounts.ts'
import { transactionOfBooked } from '#server/accounts/transaction.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { BookedOperation } from '#server/ledger/types.ts'
import { collectMoney } from '#server/rails/collections.ts'

type TopUp = z.infer<typeof topUpRequest>
/**
 * The answer to a top-up. `settlesAt` is the business time at which the money will arrive. It is null if the money has arrived
 * already or the time is unknown.
 */
export type TopUpAnswer = { transaction: Transaction; settlesAt: string | null }

/**
 * Adds `amountMinor` US cents to a customer's current account by the method's rail. Throws Refusal `method_unavailable`, and
 * the refusals of the limits and the ledger.
 */
export async function topUp(deps: Deps, customer: Customer, request: TopUp, key: RequestKey): Promise<TopUpAnswer> {
  return topUpAnswer(await collectMoney(deps, { customer, ...request, key }), customer)
}

/** Returns a top-up's answer from its booked operation. */
export function topUpAnswer(booked: BookedOperation, customer: Pick<Customer, 'currentAccountId'>): TopUpAnswer {
  return {
    transaction: transactionOfBooked(booked, customer.currentAccountId),
    settlesAt: booked.legs[0]?.detail.settlesAt?.toISOString() ?? null,
  }
}
