import type { Transaction } from 'kysely'
import type { AccountId, Detail, Operation } from '#server/ledger/types.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { collectWithin } from '#server/owed/collecting.ts'
import { keepDebt, type NewDebt } from '#server/owed/debts.ts'
import { gather, openPurse, owedAccount, type Purse } from '#server/owed/purse.ts'

type Trx = Transaction<Database>
export type OwedDeps = Pick<Deps, 'ledger' | 'clock' | 'events' | 'log' | 'policy' | 'slices'>

type Taking = {
  operation: Omit<Operation, 'legs'>
  debt: Omit<NewDebt, 'id' | 'lost'>
  credit: AccountId
  /** Whose loss it is where the customer has closed. */
  loss: AccountId
  detail: Detail
}

/** The purse once what was owed before has been collected from it, as far as there is money. */
export async function openSettledPurse(
  deps: OwedDeps,
  trx: Trx,
  asked: { customerId: string; bankAccounts: AccountId[] },
): Promise<Purse | null> {
  const purse = await openPurse(deps, trx, asked)
  if (!purse || purse.owedMinor === 0) return purse
  await collectWithin(deps, trx, asked.customerId)
  return openPurse(deps, trx, asked)
}

/**
 * Takes an amount from a customer: from the current account, then from what covers it, and what is missing they owe. The
 * account that is credited gets all of it. Doing it again changes nothing. Answers what is owed or, for a customer who has
 * closed, lost.
 */
export async function takeOrOwe(
  deps: OwedDeps,
  trx: Trx,
  { operation, debt, credit, loss, detail }: Taking,
): Promise<number> {
  const { customerId, amountMinor, name } = debt
  const purse = await openSettledPurse(deps, trx, { customerId, bankAccounts: [credit] })
  const { legs, availableMinor } = purse
    ? gather(purse, { amountMinor, note: name ?? undefined })
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
  await keepDebt(deps, trx, { ...debt, id: operation.id, amountMinor: missingMinor, lost: purse === null })
  return missingMinor
}
