import type { z } from 'zod'
import type { topUpRequest, Transaction } from '#contract/accounts.ts'
import { transactionOfBooked } from '#server/accounts/transaction.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Booked } from '#server/ledger/types.ts'
import { collect } from '#server/rails/collections.ts'

type TopUp = z.infer<typeof topUpRequest>
/** `settlesAt`: business time, null where the money is there already or nobody knows yet. */
export type TopUpAnswer = { transaction: Transaction; settlesAt: string | null }

/**
 * Adds `amountMinor` US cents to a customer's current account, by the rail that the bank has for the method.
 * Throws Refusal `method_unavailable`, what the limits and what the ledger refuse.
 */
export async function topUp(deps: Deps, customer: Customer, request: TopUp, key: RequestKey): Promise<TopUpAnswer> {
  return topUpAnswer(await collect(deps, { customer, ...request, key }), customer)
}

/** What a top-up was answered, from what was booked. */
export function topUpAnswer(booked: Booked, customer: Pick<Customer, 'currentAccountId'>): TopUpAnswer {
  return {
    transaction: transactionOfBooked(booked, customer.currentAccountId),
    settlesAt: booked.legs[0]?.detail.settlesAt?.toISOString() ?? null,
  }
}
