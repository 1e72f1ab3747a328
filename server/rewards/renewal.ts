import { DAY_MS } from '#server/platform/days.ts'
import type { Transaction } from 'kysely'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { type Customer, findCustomers } from '#server/identity/customers/customers.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { postWithinLimitsIn } from '#server/limits/service.ts'
import { notify } from '#server/notifications/service.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import { lockCollectors } from '#server/rewards/collectors.ts'
import { rewardNotices } from '#server/rewards/notices.ts'
import {
  beginStretch,
  changeStretch,
  extendStretch,
  openStretch,
  premiumOperation,
  type PremiumRow,
} from '#server/rewards/premium.ts'

/** A charge that is refused is tried once a day; after so many Premium ends. */
const TRIES = 4
/** How many one run charges or ends. */
const RENEWED = 500

/** Refusals for want of money, or of room in a limit: tomorrow may be different. */
const SHORT: ReadonlySet<ErrorCode> = new Set([
  'insufficient_funds',
  'day_limit_reached',
  'limit_reached',
  'account_frozen',
])

type RenewDeps = Pick<Deps, 'db' | 'pool' | 'ledger' | 'policy' | 'clock' | 'events' | 'log'>

/** Charges the next month of Premium where one is due, and ends what does not renew. */
async function renewAll(deps: RenewDeps): Promise<void> {
  const now = deps.clock.businessNow()
  const due = await deps.db
    .selectFrom('bank.premium')
    .select('customer_id')
    .where('ended_at', 'is', null)
    .where('paid_until', '<=', now)
    .where(({ eb, or }) => or([eb('try_at', 'is', null), eb('try_at', '<=', now)]))
    .orderBy('paid_until')
    .limit(RENEWED)
    .execute()
  const customers = await findCustomers(
    deps,
    due.map((row) => row.customer_id),
  )
  for (const customer of customers.values()) {
    // One that cannot be renewed must not keep the others.
    await renew(deps, customer).catch((error: unknown) =>
      deps.log.error({ err: error, customerId: customer.id }, 'Premium could not be renewed'),
    )
  }
}

/** Month by month, where the job comes late by more than one. */
async function renew(deps: RenewDeps, customer: Customer): Promise<void> {
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

/** Answers whether another month is due. */
async function renewOnce(deps: RenewDeps, trx: Transaction<Database>, customer: Customer): Promise<boolean> {
  const now = deps.clock.businessNow()
  await lockCollectors(trx, [customer.id])
  const row = await openStretch(trx, customer.id)
  if (!row || !isDueAt(row, now)) return false
  if (!row.renews) {
    await changeStretch(trx, row.id, { ended_at: row.paid_until })
    await notify(deps, trx, { customerId: customer.id, ...rewardNotices.ended, params: {} })
    return false
  }
  const amountMinor = deps.policy.rewards.premiumMinor
  // Each try has an id of its own: the ledger remembers what it refused.
  const purpose = `premium ${row.months + 1} try ${row.tries}`
  const operation = premiumOperation(customer, {
    ...derived('rewards', row.id, purpose),
    fingerprint: fingerprintOf('premium.charge', row.id, row.months + 1, amountMinor),
    bookedAt: now,
    amountMinor,
  })
  await postWithinLimitsIn(deps, trx, { customer, direction: 'out', amountMinor }, operation)
  if (row.tries === 0) return (await extendStretch(trx, row)).paid_until <= now
  // The days without were not paid for: a month from today.
  await changeStretch(trx, row.id, { ended_at: row.paid_until })
  await beginStretch(trx, { customerId: customer.id, startedAt: now, renews: true })
  return false
}

/** Tries again tomorrow, or lets Premium end. Tells the customer the first time, and at the end. */
async function noteShort(deps: RenewDeps, trx: Transaction<Database>, customer: Customer): Promise<void> {
  const now = deps.clock.businessNow()
  await lockCollectors(trx, [customer.id])
  const row = await openStretch(trx, customer.id)
  if (!row?.renews || !isDueAt(row, now)) return
  const tries = row.tries + 1
  const customerId = customer.id
  if (tries >= TRIES) {
    await changeStretch(trx, row.id, { tries, renews: false, ended_at: row.paid_until })
    await notify(deps, trx, { customerId, ...rewardNotices.ended, params: {} })
    return
  }
  await changeStretch(trx, row.id, { tries, try_at: new Date(now.getTime() + DAY_MS) })
  const params = { amountMinor: deps.policy.rewards.premiumMinor, asset: 'USD' } as const
  if (tries === 1) await notify(deps, trx, { customerId, ...rewardNotices.short, params })
}

export const renewPremiumJob = defineRecurringJob({
  name: 'rewards.renew_premium',
  everyMinutes: 1,
  work: renewAll,
})
