import { toBankZone } from '#server/platform/time-zone.ts'
import { randomUUIDv7 } from 'node:crypto'
import type { Selectable, Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Premium, PremiumRequest } from '#contract/rewards-api.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { BookedOperation, Operation } from '#server/ledger/types.ts'
import { postLimited } from '#server/limits/service.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { ensureCollectors, lockCollectors } from '#server/rewards/collectors.ts'
import { premiumCovers } from '#server/rewards/premium-time.ts'

export type PremiumRow = Selectable<Database['bank.premium']>

/** Returns the same time of day a number of months later. If that month has no such day, it is the month's last day. */
function monthsAfter(date: Date, months: number): Date {
  const start = toBankZone(date)
  return new Date(start.add({ months }).epochMilliseconds)
}

/** Returns the customer's current Premium. A period whose renewal charge is pending counts as current. */
export async function premiumOf(
  { db, clock, policy }: Pick<Deps, 'db' | 'clock' | 'policy'>,
  customerId: string,
): Promise<Premium> {
  const row = await readCurrentPremium(db, customerId)
  const price = { priceMinor: policy.rewards.premiumMinor, asset: 'USD' } as const
  const now = clock.businessNow()
  if (!row || (!row.renews && row.paid_until <= now)) return { status: 'none', until: null, triesAt: null, ...price }
  const status = row.tries > 0 ? 'short' : row.renews ? 'renews' : 'ends'
  const triesAt = row.tries > 0 ? (row.try_at?.toISOString() ?? null) : null
  return { status, until: row.paid_until.toISOString(), triesAt, ...price }
}

export function readCurrentPremium(db: Deps['db'], customerId: string): Promise<PremiumRow | undefined> {
  return db
    .selectFrom('bank.premium')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

export async function updatePremium(
  trx: Transaction<Database>,
  id: string,
  change: Partial<PremiumRow>,
): Promise<void> {
  await trx.updateTable('bank.premium').set(change).where('id', '=', id).execute()
}

/**
 * Returns the customer's Premium as of now. If the current period is over and no job has ended it yet, this function ends it.
 * The caller has locked the collector (`lockCollectors`).
 */
async function stretchNow(trx: Transaction<Database>, customerId: string, now: Date): Promise<PremiumRow | undefined> {
  const row = await readCurrentPremium(trx, customerId)
  // A period whose renewal charge was refused is over after its paid time.
  if (!row || premiumCovers(row, now)) return row
  await updatePremium(trx, row.id, { ended_at: now, renews: false })
  return undefined
}

/** Returns the operation that pays for a month of Premium. */
export function premiumOperation(
  { currentAccountId }: Pick<Customer, 'currentAccountId'>,
  {
    amountMinor,
    ...rest
  }: Pick<Operation, 'id' | 'derivedFrom' | 'fingerprint' | 'bookedAt'> & { amountMinor: number },
): Operation {
  return {
    ...rest,
    kind: 'premium.charge',
    legs: [
      {
        kind: 'transfer',
        debit: currentAccountId,
        credit: bankAccount('fees'),
        amountMinor,
        detail: { label: 'rewards.premium', category: 'bills' },
      },
    ],
  }
}

type Pay = Pick<Deps, 'db' | 'ledger' | 'policy' | 'clock'>

/**
 * Starts Premium for a customer. The first month is charged at once, and Premium renews each month. Throws Refusal
 * `price_changed` if the price differs from the one shown, `premium_on` if the customer already has Premium, and the refusals
 * of the limits and of the ledger.
 */
export async function startPremium(
  deps: Pay,
  customer: Customer,
  { priceMinor }: PremiumRequest,
  { operationId: id, fingerprint }: RequestKey,
): Promise<BookedOperation> {
  const amountMinor = deps.policy.rewards.premiumMinor
  if (priceMinor !== amountMinor) throw new Refusal('price_changed', 'priceMinor')
  await ensureCollectors(deps, [customer.id])
  const make = async (trx: Transaction<Database>): Promise<Operation> => {
    await lockCollectors(trx, [customer.id])
    const bookedAt = deps.clock.businessNow()
    if (await stretchNow(trx, customer.id, bookedAt)) throw new Refusal('premium_on')
    return premiumOperation(customer, { id, fingerprint, bookedAt, amountMinor })
  }
  return postLimited(deps, { customer, direction: 'out', amountMinor }, make, {
    also: (trx, { bookedAt }) => insertPremium(trx, { customerId: customer.id, startedAt: bookedAt, renews: true }),
  })
}

/** Starts a month of Premium at a moment. */
export async function insertPremium(
  trx: Transaction<Database>,
  { customerId, startedAt, renews }: { customerId: string; startedAt: Date; renews: boolean },
): Promise<void> {
  await trx
    .insertInto('bank.premium')
    .values({
      id: randomUUIDv7(),
      customer_id: customerId,
      started_at: startedAt,
      months: 1,
      paid_until: monthsAfter(startedAt, 1),
      renews,
    })
    .execute()
}

/**
 * Adds a month to a customer's Premium. Without Premium, starts one month that does not renew. The caller has locked the
 * collector.
 */
export async function addMonth(trx: Transaction<Database>, customerId: string, now: Date): Promise<void> {
  const row = await stretchNow(trx, customerId, now)
  if (row) await extendPremium(trx, row)
  else await insertPremium(trx, { customerId, startedAt: now, renews: false })
}

/**
 * Adds a month to a period. Months are counted from the start of the period: a period that started on the 31st ends on the 31st
 * again after a shorter month.
 */
export async function extendPremium(trx: Transaction<Database>, row: PremiumRow): Promise<PremiumRow> {
  const months = row.months + 1
  const change = { months, paid_until: monthsAfter(row.started_at, months) }
  await updatePremium(trx, row.id, change)
  return { ...row, ...change }
}

/**
 * Cancels Premium: it ends at the end of its paid time, or at once if that time is over. Throws Refusal `premium_off` if the
 * customer has no Premium, and `premium_cancelled` if it is already canceled.
 */
export async function cancelPremium(deps: Pick<Deps, 'db' | 'clock'>, customerId: string): Promise<void> {
  await changeRenewal(deps, customerId, async (trx, row, now) => {
    if (!row) throw new Refusal('premium_off')
    if (!row.renews) throw new Refusal('premium_cancelled')
    const ended = row.tries > 0 ? { ended_at: now } : {}
    await updatePremium(trx, row.id, { renews: false, ...ended })
  })
}

/**
 * Makes a canceled Premium renew again. Throws Refusal `premium_off` if the customer has no Premium, and `premium_on` if it
 * already renews.
 */
export async function resumePremium(deps: Pick<Deps, 'db' | 'clock'>, customerId: string): Promise<void> {
  await changeRenewal(deps, customerId, async (trx, row, now) => {
    if (!row || row.paid_until <= now) throw new Refusal('premium_off')
    if (row.renews) throw new Refusal('premium_on')
    await updatePremium(trx, row.id, { renews: true })
  })
}

async function changeRenewal(
  deps: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
  change: (trx: Transaction<Database>, row: PremiumRow | undefined, now: Date) => Promise<void>,
): Promise<void> {
  await ensureCollectors(deps, [customerId])
  await inTransaction(deps.db, async (trx) => {
    await lockCollectors(trx, [customerId])
    await change(trx, await readCurrentPremium(trx, customerId), deps.clock.businessNow())
  })
}

/** Ends a customer's Premium when the customer closes. */
export async function dropPremium(trx: Transaction<Database>, customerId: string): Promise<void> {
  await trx
    .updateTable('bank.premium')
    .set(({ selectFrom }) => ({
      renews: false,
      ended_at: selectFrom('bank.customer').select('closed_at').where('id', '=', customerId),
    }))
    .where('customer_id', '=', customerId)
    .where('ended_at', 'is', null)
    .execute()
}
