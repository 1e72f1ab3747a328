import { sql, type Transaction } from 'kysely'
import { hasClosed } from '#server/identity/customers/lock.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { owedOnCurrent } from '#server/ledger/accounts.ts'
import type { Leg } from '#server/ledger/types.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import { lessen, lockDebts, sharesOf } from '#server/owed/debts.ts'
import { owedNotices } from '#server/owed/notices.ts'
import { gather, openPurse } from '#server/owed/purse.ts'

type Trx = Transaction<Database>
type CollectDeps = Pick<Deps, 'ledger' | 'clock' | 'events' | 'slices'>

/** How many customers are read at once. */
const PAGE = 200

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
  await notify(deps, trx, { customerId, ...owedNotices.collected, params })
}

/**
 * The same where they owe anything, after money came to one of their accounts that is not the current one, of which nothing
 * is kept from being spent. To be called after it was booked: whoever makes a debt at this moment waits for the account.
 */
export async function collectAfter(deps: CollectDeps, trx: Trx, customerId: string): Promise<void> {
  if ((await owedOnCurrent(runIn(trx), customerId)) > 0) await collectWithin(deps, trx, customerId)
}

async function owing({ db }: Pick<Deps, 'db'>, after: string | null): Promise<string[]> {
  let query = db.selectFrom('bank.owed').select('customer_id').distinct().where('left_minor', '>', sql.lit(0))
  if (after) query = query.where('customer_id', '>', after)
  const rows = await query.orderBy('customer_id').limit(PAGE).execute()
  return rows.map((row) => row.customer_id)
}

/** Collects from everybody who owes and has money by now. One that fails keeps no other. */
export const collectJob = defineRecurringJob({
  name: 'owed.collect',
  everyMinutes: 1,
  work: async (deps) => {
    for (let after: string | null = null; ;) {
      const customerIds = await owing(deps, after)
      for (const customerId of customerIds) {
        await inTransaction(deps.db, async (trx) => {
          if (!(await hasClosed(trx, customerId))) await collectWithin(deps, trx, customerId)
        }).catch((error: unknown) =>
          deps.log.error({ err: error, customerId }, 'what a customer owes could not be collected'),
        )
      }
      if (customerIds.length < PAGE) return
      after = customerIds.at(-1) ?? null
    }
  },
})
