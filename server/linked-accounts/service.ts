import type { Transaction as SqlTransaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { LinkedAccounts, LinkedMoneyRequest } from '#contract/linked-accounts.ts'
import { type TopUpAnswer, topUpAnswer } from '#server/accounts/top-ups.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { findAccount, type LinkedAccountRow, linkedAccountsOf, lockAccount } from '#server/linked-accounts/accounts.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { type BankDetails, unsealDetails } from '#server/rails/bank-details.ts'
import { collectMoney } from '#server/rails/collections.ts'
import { payOut } from '#server/rails/payouts.ts'
import { offeredMethods } from '#server/rails/rails.ts'

/** Reads a customer's linked accounts, and when a payout to them arrives (null if this bank cannot pay out). */
export async function readLinkedAccounts(deps: Deps, customerId: string): Promise<LinkedAccounts> {
  const rail = offeredMethods(deps).find(({ method }) => method === 'bank')
  const payouts = !rail || rail.arrives === 'at_once' ? null : rail.arrives
  return { accounts: await linkedAccountsOf(deps, customerId), payouts }
}

/**
 * Reads a verified bank account. Throws Refusal `not_found`, and `account_unverified` if the account is not verified or is not
 * a bank account.
 */
async function verifiedAccount(
  deps: Pick<Deps, 'db' | 'config'>,
  customerId: string,
  id: string,
): Promise<{ account: LinkedAccountRow; details: BankDetails }> {
  const account = await findAccount(deps, customerId, id)
  if (!account) throw new Refusal('not_found')
  if (!isUsable(account) || !account.numbers_sealed) throw new Refusal('account_unverified')
  return { account, details: unsealDetails(deps.config, account.id, account.numbers_sealed) }
}

const isUsable = ({ kind, status }: LinkedAccountRow) => kind === 'bank' && status === 'verified'

/**
 * Pays a customer's money out to their linked account. Throws Refusal `not_found`, `account_unverified`, `method_unavailable`,
 * and the refusals of the limits and the ledger.
 */
export async function withdrawToLinkedAccount(
  deps: Deps,
  customer: Customer,
  { id, amountMinor, asset }: LinkedMoneyRequest & { id: string },
  key: RequestKey,
): Promise<TopUpAnswer> {
  const { account, details } = await verifiedAccount(deps, customer.id, id)
  const destination = { ...details, linkedAccountId: account.id, name: account.name }
  const booked = await payOut(deps, { customer, destination, amountMinor, asset, key }, async (trx) => {
    // The account may have been removed since it was read.
    const now = await lockAccount(trx, customer.id, account.id)
    if (!now || !isUsable(now)) throw new Refusal('not_found')
  })
  return topUpAnswer(booked, customer)
}

/** Adds money from a verified account through the bank rail. Throws the refusals of `withdrawToLinkedAccount` and of a top-up. */
export async function topUpFromLinkedAccount(
  deps: Deps,
  customer: Customer,
  { id, amountMinor, asset }: LinkedMoneyRequest & { id: string },
  key: RequestKey,
): Promise<TopUpAnswer> {
  const { account, details } = await verifiedAccount(deps, customer.id, id)
  const source = { ...details, name: account.name }
  return topUpAnswer(await collectMoney(deps, { customer, method: 'bank', amountMinor, asset, key, source }), customer)
}

/** Removes a linked account; payments in progress continue. Throws Refusal `not_found`. */
export async function removeAccount(deps: Pick<Deps, 'db'>, customerId: string, id: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const account = await lockAccount(trx, customerId, id)
    if (!account) throw new Refusal('not_found')
    await forget(trx).where('id', '=', account.id).execute()
  })
}

/** Removes all linked accounts of a customer. */
export async function removeAccountsOf(trx: SqlTransaction<Database>, customerId: string): Promise<void> {
  await forget(trx).where('customer_id', '=', customerId).execute()
}

const forget = (trx: SqlTransaction<Database>) =>
  trx.updateTable('bank.linked_account').set({ status: 'removed', numbers_sealed: null })
