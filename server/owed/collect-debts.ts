import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSweep } from '#server/platform/jobs/sweep.ts'
import { sql, type Transaction } from 'kysely'
import { hasClosed } from '#server/identity/customers/lock.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { Leg } from '#server/ledger/types.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { reduceDebts, lockDebts, allocateToDebts } from '#server/owed/debts.ts'
import { coverFromSpares, lockFunds } from '#server/owed/customer-funds.ts'

type Trx = Transaction<Database>
type CollectDeps = Pick<Deps, 'ledger' | 'clock' | 'events' | 'slices'>

/**
 * Collects a customer's debts, the oldest first, as far as the customer's money suffices. Until a debt is collected, the ledger
 * reserves its amount on the current account, so a late run loses nothing.
 */
export async function collectDebtsWithin(deps: CollectDeps, trx: Trx, customerId: string): Promise<void> {
  const purse = await lockFunds(deps, trx, { customerId, bankAccounts: [] })
  if (!purse || purse.owedMinor === 0 || purse.owedAccountId === null) return
  const { current, owedAccountId, owedMinor } = purse
  // The amount reserved for debts is not available for spending, but it can be collected.
  const unspent = { ...current, availableMinor: Math.max(0, current.balanceMinor - current.heldMinor) }
  const { legs, availableMinor } = coverFromSpares({ ...purse, current: unspent }, { amountMinor: owedMinor })
  const shares = allocateToDebts(await lockDebts(trx, customerId), availableMinor)
  const [first] = shares
  if (!first) return
  const paying = shares.map(({ debt: { name, cause }, paidMinor: amountMinor }): Leg => {
    const detail = {
      label: `owed.${cause}` as const,
      category: 'loan' as const,
      ...(name === null ? {} : { note: name }),
    }
    return { kind: 'transfer', debit: current.id, credit: owedAccountId, amountMinor, detail }
  })
  const named = derivedIdentity('owed', first.debt.id, `collect ${first.debt.left_minor}`)
  const kind = 'owed.collect'
  await deps.ledger.postWithin(runIn(trx), [
    {
      ...named,
      kind,
      fingerprint: fingerprintOf(kind, named.id),
      bookedAt: deps.clock.businessNow(),
      legs: [...legs, ...paying],
    },
  ])
  await reduceDebts(trx, shares)
  const amountMinor = shares.reduce((sum, { paidMinor }) => sum + paidMinor, 0)
  const params = {
    amountMinor,
    asset: 'USD' as const,
    left: amountMinor < owedMinor ? ('some' as const) : ('none' as const),
  }
  await notify(deps, trx, { customerId, kind: 'owed_collected', params })
}

function findDebtors({ db }: Pick<Deps, 'db'>, after: { id: string } | null): Promise<{ id: string }[]> {
  let query = db.selectFrom('bank.owed').select('customer_id as id').distinct().where('left_minor', '>', sql.lit(0))
  if (after) query = query.where('customer_id', '>', after.id)
  return query.orderBy('customer_id').limit(PAGE_SIZE).execute()
}

/** Collects the debts of all customers who have not closed, as far as their money suffices. */
export const collectDebtsJob = defineSweep({
  name: 'owed.collect',
  everyMinutes: 1,
  find: findDebtors,
  work: (deps, { id }) =>
    inTransaction(deps.db, async (trx) => {
      if (!(await hasClosed(trx, id))) await collectDebtsWithin(deps, trx, id)
    }),
  failed: 'what a customer owes could not be collected',
})
