import type { Transaction } from 'kysely'
import type { AccountId, Detail, Operation } from '#server/ledger/types.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { collectDebtsWithin } from '#server/owed/collect-debts.ts'
import { recordDebt, type NewDebt } from '#server/owed/debts.ts'
import { coverFromSpares, lockFunds, owedAccount, type CustomerFunds } from '#server/owed/customer-funds.ts'

type Trx = Transaction<Database>
export type OwedDeps = Pick<Deps, 'ledger' | 'clock' | 'events' | 'log' | 'policy' | 'slices'>

type Deduction = {
  operation: Omit<Operation, 'legs'>
  debt: Omit<NewDebt, 'id' | 'lost'>
  credit: AccountId
  /** The account that bears the loss if the customer's current account is not open. */
  loss: AccountId
  detail: Detail
}

/**
 * Locks a customer's money and first pays earlier debts from it, as far as it suffices. Returns null if the customer's current
 * account is not open.
 */
export async function lockFundsAfterCollecting(
  deps: OwedDeps,
  trx: Trx,
  request: { customerId: string; bankAccounts: AccountId[] },
): Promise<CustomerFunds | null> {
  const purse = await lockFunds(deps, trx, request)
  if (!purse || purse.owedMinor === 0) return purse
  await collectDebtsWithin(deps, trx, request.customerId)
  return lockFunds(deps, trx, request)
}

/**
 * Takes an amount from a customer: from the current account, and then from the spare accounts. The credited account gets the
 * whole amount. The amount that the customer does not have becomes a debt or, if the current account is not open, the bank's
 * loss. Returns that missing amount in US cents. A repetition changes nothing and returns 0.
 */
export async function takeOrOwe(
  deps: OwedDeps,
  trx: Trx,
  { operation, debt, credit, loss, detail }: Deduction,
): Promise<number> {
  const { customerId, amountMinor, name } = debt
  const purse = await lockFundsAfterCollecting(deps, trx, { customerId, bankAccounts: [credit] })
  const { legs, availableMinor } = purse
    ? coverFromSpares(purse, { amountMinor, note: name ?? undefined })
    : { legs: [], availableMinor: 0 }
  const paidMinor = Math.min(amountMinor, availableMinor)
  const missingMinor = amountMinor - paidMinor
  if (purse && paidMinor > 0)
    legs.push({ kind: 'transfer', debit: purse.current.id, credit, amountMinor: paidMinor, detail })
  if (missingMinor > 0) {
    const debit = purse ? await owedAccount(trx, purse) : loss
    legs.push({ kind: 'transfer', debit, credit, amountMinor: missingMinor, detail })
  }
  const [booked] = await deps.ledger.postWithin(runIn(trx), [{ ...operation, legs }])
  if (missingMinor === 0 || booked?.replayed) return 0
  await recordDebt(deps, trx, { ...debt, id: operation.id, amountMinor: missingMinor, lost: purse === null })
  return missingMinor
}
