import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSweep } from '#server/platform/jobs/sweep.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import type { Transaction } from 'kysely'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { type Customer, findCustomers } from '#server/identity/customers/customers.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { postLimited } from '#server/limits/service.ts'
import { notify } from '#server/notifications/service.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { lockCollectors } from '#server/rewards/collectors.ts'
import {
  insertPremium,
  updatePremium,
  extendPremium,
  readCurrentPremium,
  premiumOperation,
  type PremiumRow,
} from '#server/rewards/premium.ts'

/** The number of daily tries to charge a month. If all are refused, Premium ends. */
const TRIES = 4

/** Refusals for lack of money, for a limit or for a frozen account. A later try may succeed. */
const SHORT: ReadonlySet<ErrorCode> = new Set([
  'insufficient_funds',
  'day_limit_reached',
  'limit_reached',
  'account_frozen',
])

type RenewDeps = Pick<Deps, 'db' | 'pool' | 'ledger' | 'policy' | 'clock' | 'events' | 'log'>

function dueStretches(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  after: { id: string } | null,
): Promise<{ id: string }[]> {
  const now = clock.businessNow()
  let query = db
    .selectFrom('bank.premium')
    .select('customer_id as id')
    .where('ended_at', 'is', null)
    .where('paid_until', '<=', now)
    .where(({ eb, or }) => or([eb('try_at', 'is', null), eb('try_at', '<=', now)]))
  if (after) query = query.where('customer_id', '>', after.id)
  return query.orderBy('customer_id').limit(PAGE_SIZE).execute()
}

/** Renews Premium month by month until no month is due. If the job runs late, several months may be due. */
async function renew(deps: RenewDeps, { id }: { id: string }): Promise<void> {
  const customer = (await findCustomers(deps, [id])).get(id)
  if (!customer) return
  let isDue = true
  while (isDue) {
    try {
      isDue = await inTransaction(deps.db, (trx) => renewOnce(deps, trx, customer))
    } catch (error) {
      if (!(error instanceof Refusal && SHORT.has(error.code))) throw error
      await inTransaction(deps.db, (trx) => noteShort(deps, trx, customer))
      return
    }
  }
}

const isDueAt = (row: PremiumRow, now: Date) => row.paid_until <= now && (row.try_at === null || row.try_at <= now)

/** Renews one month, and returns whether another one is due. */
async function renewOnce(deps: RenewDeps, trx: Transaction<Database>, customer: Customer): Promise<boolean> {
  const now = deps.clock.businessNow()
  await lockCollectors(trx, [customer.id])
  const row = await readCurrentPremium(trx, customer.id)
  if (!row || !isDueAt(row, now)) return false
  if (!row.renews) {
    await updatePremium(trx, row.id, { ended_at: row.paid_until })
    await notify(deps, trx, { customerId: customer.id, kind: 'premium_ended', params: {} })
    return false
  }
  const amountMinor = deps.policy.rewards.premiumMinor
  // Each try has its own id, because the ledger remembers a refused operation.
  const purpose = `premium ${row.months + 1} try ${row.tries}`
  const operation = premiumOperation(customer, {
    ...derivedIdentity('rewards', row.id, purpose),
    fingerprint: fingerprintOf('premium.charge', row.id, row.months + 1, amountMinor),
    bookedAt: now,
    amountMinor,
  })
  await postLimited(deps, { customer, direction: 'out', amountMinor }, operation, { trx })
  if (row.tries === 0) return (await extendPremium(trx, row)).paid_until <= now
  // The customer did not pay for the days since the last period, so the new month begins today.
  await updatePremium(trx, row.id, { ended_at: row.paid_until })
  await insertPremium(trx, { customerId: customer.id, startedAt: now, renews: true })
  return false
}

/** Schedules another try for tomorrow, or ends Premium. Notifies the customer at the first failure and at the end. */
async function noteShort(deps: RenewDeps, trx: Transaction<Database>, customer: Customer): Promise<void> {
  const now = deps.clock.businessNow()
  await lockCollectors(trx, [customer.id])
  const row = await readCurrentPremium(trx, customer.id)
  if (!row?.renews || !isDueAt(row, now)) return
  const tries = row.tries + 1
  const customerId = customer.id
  if (tries >= TRIES) {
    await updatePremium(trx, row.id, { tries, renews: false, ended_at: row.paid_until })
    await notify(deps, trx, { customerId, kind: 'premium_ended', params: {} })
    return
  }
  await updatePremium(trx, row.id, { tries, try_at: new Date(now.getTime() + DAY_MS) })
  const params = { amountMinor: deps.policy.rewards.premiumMinor, asset: 'USD' } as const
  if (tries === 1) await notify(deps, trx, { customerId, kind: 'premium_short', params })
}

/** Charges the next month of Premium if one is due, and ends Premium that does not renew. */
export const renewPremiumJob = defineSweep({
  name: 'rewards.renew_premium',
  everyMinutes: 1,
  find: dueStretches,
  work: renew,
  failed: 'Premium could not be renewed',
})
