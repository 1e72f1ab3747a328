import { zoned } from '#server/platform/time-zone.ts'
import { randomUUIDv7 } from 'node:crypto'
import type { Selectable, Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Premium, PremiumRequest } from '#contract/rewards-api.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { Booked, Operation } from '#server/ledger/types.ts'
import { postLimited } from '#server/limits/service.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { ensureCollectors, lockCollectors } from '#server/rewards/collectors.ts'
import { covers } from '#server/rewards/premium-time.ts'

export type PremiumRow = Selectable<Database['bank.premium']>

/** So many months later, at the same time of day; at the end of a month that is shorter. */
function monthsAfter(date: Date, months: number): Date {
  const start = zoned(date)
  return new Date(start.add({ months }).epochMilliseconds)
}

/** The customer's Premium as it stands, the one that waits for its charge included. */
export async function premiumOf(
  { db, clock, policy }: Pick<Deps, 'db' | 'clock' | 'policy'>,
  customerId: string,
): Promise<Premium> {
  const row = await openStretch(db, customerId)
  const price = { priceMinor: policy.rewards.premiumMinor, asset: 'USD' } as const
  const now = clock.businessNow()
  if (!row || (!row.renews && row.paid_until <= now)) return { status: 'none', until: null, triesAt: null, ...price }
  const status = row.tries > 0 ? 'short' : row.renews ? 'renews' : 'ends'
  const triesAt = row.tries > 0 ? (row.try_at?.toISOString() ?? null) : null
  return { status, until: row.paid_until.toISOString(), triesAt, ...price }
}

export function openStretch(db: Deps['db'], customerId: string): Promise<PremiumRow | undefined> {
  return db
    .selectFrom('bank.premium')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

export async function changeStretch(
  trx: Transaction<Database>,
  id: string,
  change: Partial<PremiumRow>,
): Promise<void> {
  await trx.updateTable('bank.premium').set(change).where('id', '=', id).execute()
}

/**
 * The customer's Premium now, ended where its time is up and no job has come to it yet. Called with the customer's row
 * locked (lockCollectors).
 */
async function stretchNow(trx: Transaction<Database>, customerId: string, now: Date): Promise<PremiumRow | undefined> {
  const row = await openStretch(trx, customerId)
  // One that could not be charged is over until it is.
  if (!row || covers(row, now)) return row
  await changeStretch(trx, row.id, { ended_at: now, renews: false })
  return undefined
}

/** The operation by which a month of Premium is paid for. */
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
 * Gives a customer Premium from this moment, for a month that is charged now and renews. Throws Refusal
 * `price_changed` where a month costs something else than they were shown, `premium_on` for whoever has Premium, what the
 * limits and the ledger refuse.
 */
export async function startPremium(
  deps: Pay,
  customer: Customer,
  { priceMinor }: PremiumRequest,
  { operationId: id, fingerprint }: RequestKey,
): Promise<Booked> {
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
    also: (trx, { bookedAt }) => beginStretch(trx, { customerId: customer.id, startedAt: bookedAt, renews: true }),
  })
}

/** A month of Premium from a moment on. */
export async function beginStretch(
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

/** Adds a month to what a customer has, or gives them one that does not renew. The customer's row is locked. */
export async function addMonth(trx: Transaction<Database>, customerId: string, now: Date): Promise<void> {
  const row = await stretchNow(trx, customerId, now)
  if (row) await extendStretch(trx, row)
  else await beginStretch(trx, { customerId, startedAt: now, renews: false })
}

/** Counted from the beginning, so that the 31st is the 31st again after a shorter month. */
export async function extendStretch(trx: Transaction<Database>, row: PremiumRow): Promise<PremiumRow> {
  const months = row.months + 1
  const change = { months, paid_until: monthsAfter(row.started_at, months) }
  await changeStretch(trx, row.id, change)
  return { ...row, ...change }
}

/**
 * Lets Premium end with what is paid for; where nothing is, at once. Throws Refusal `premium_off` for whoever has none,
 * and `premium_cancelled` where it does not renew.
 */
export async function cancelPremium(deps: Pick<Deps, 'db' | 'clock'>, customerId: string): Promise<void> {
  await changeRenewal(deps, customerId, async (trx, row, now) => {
    if (!row) throw new Refusal('premium_off')
    if (!row.renews) throw new Refusal('premium_cancelled')
    const ended = row.tries > 0 ? { ended_at: now } : {}
    await changeStretch(trx, row.id, { renews: false, ...ended })
  })
}

/** Lets Premium that was to end renew. Throws Refusal `premium_off` for whoever has none, `premium_on` where it does. */
export async function resumePremium(deps: Pick<Deps, 'db' | 'clock'>, customerId: string): Promise<void> {
  await changeRenewal(deps, customerId, async (trx, row, now) => {
    if (!row || row.paid_until <= now) throw new Refusal('premium_off')
    if (row.renews) throw new Refusal('premium_on')
    await changeStretch(trx, row.id, { renews: true })
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
    await change(trx, await openStretch(trx, customerId), deps.clock.businessNow())
  })
}

/** Ends a customer's Premium with their account. */
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
