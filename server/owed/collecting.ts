import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSweep } from '#server/platform/jobs/sweep.ts'
import { sql, type Transaction } from 'kysely'
import { hasClosed } from '#server/identity/customers/lock.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { Leg } from '#server/ledger/types.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { lessen, lockDebts, sharesOf } from '#server/owed/debts.ts'
import { gather, openPurse } from '#server/owed/purse.ts'

type Trx = Transaction<Database>
type CollectDeps = Pick<Deps, 'ledger' | 'clock' | 'events' | 'slices'>

/**
 * Collects what a customer owes from what they have, the oldest debt first, as far as it goes. Until then the ledger keeps
 * as much of their current account from being spent, so nothing is lost by coming late.
 */
export async function collectWithin(deps: CollectDeps, trx: Trx, customerId: string): Promise<void> {
  const purse = await openPurse(deps, trx, { customerId, bankAccounts: [] })
  if (!purse || purse.owedMinor === 0 || purse.owedAccountId === null) return
  const { current, owedAccountId, owedMinor } = purse
  // What is not to be spent is there to be collected.
  const unspent = { ...current, availableMinor: Math.max(0, current.balanceMinor - current.heldMinor) }
  const { legs, availableMinor } = gather({ ...purse, current: unspent }, { amountMinor: owedMinor })
  const shares = sharesOf(await lockDebts(trx, customerId), availableMinor)
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
  const named = derived('owed', first.debt.id, `collect ${first.debt.left_minor}`)
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
  await lessen(trx, shares)
  const amountMinor = shares.reduce((sum, { paidMinor }) => sum + paidMinor, 0)
  const params = {
    amountMinor,
    asset: 'USD' as const,
    left: amountMinor < owedMinor ? ('some' as const) : ('none' as const),
  }
  await notify(deps, trx, { customerId, kind: 'owed_collected', params })
}

function owing({ db }: Pick<Deps, 'db'>, after: { id: string } | null): Promise<{ id: string }[]> {
  let query = db.selectFrom('bank.owed').select('customer_id as id').distinct().where('left_minor', '>', sql.lit(0))
  if (after) query = query.where('customer_id', '>', after.id)
  return query.orderBy('customer_id').limit(PAGE_SIZE).execute()
}

/** Collects from everybody who owes and has money by now. */
export const collectJob = defineSweep({
  name: 'owed.collect',
  everyMinutes: 1,
  find: owing,
  work: (deps, { id }) =>
    inTransaction(deps.db, async (trx) => {
      if (!(await hasClosed(trx, id))) await collectWithin(deps, trx, id)
    }),
  failed: 'what a customer owes could not be collected',
})
