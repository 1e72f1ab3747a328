import { DAY_MS } from '#server/platform/durations.ts'
import { type Selectable, sql, type Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Debt, OwedCause } from '#contract/owed.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { notify } from '#server/notifications/service.ts'

type Trx = Transaction<Database>
export type DebtRow = Selectable<Database['bank.owed']>
type DebtDeps = Pick<Deps, 'clock' | 'events' | 'log' | 'policy'>

/** A payment that the bank made for a customer, with its cause. `id` is the id of the payment's operation. */
export type NewDebt = {
  id: string
  customerId: string
  cause: OwedCause
  /** The id of the card payment, the top-up, the dispute or the recalled transfer; null for cashback. */
  causeId: string | null
  /** The shop of a card payment or dispute, or the sender of a recalled transfer; null for other causes. */
  name: string | null
  amountMinor: number
  /** Whether the debt cannot be collected, because the customer's current account is not open. */
  lost: boolean
}

/** Normalizes a shop's name, so that different spellings count as one shop. */
export const shopOf = (merchant: string): string =>
  merchant.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()

/**
 * Records a payment that the bank made for a customer, logs it for the operator, and notifies the customer unless the debt is
 * lost. The ledger must have booked the payment before.
 */
export async function recordDebt(deps: DebtDeps, trx: Trx, debt: NewDebt): Promise<void> {
  const { id, customerId, cause, causeId, name, amountMinor, lost } = debt
  const now = deps.clock.businessNow()
  const shop = cause === 'card_payment' && name !== null ? shopOf(name) : null
  const amounts = lost ? { left_minor: 0, lost_minor: amountMinor } : { left_minor: amountMinor }
  await trx
    .insertInto('bank.owed')
    .values({
      id,
      customer_id: customerId,
      cause,
      cause_id: causeId,
      name,
      shop,
      amount_minor: amountMinor,
      ...amounts,
      asset: 'USD',
      created_at: now,
    })
    .execute()
  await report(deps, trx, { ...debt, shop })
  if (lost) return
  const params = { amountMinor, asset: 'USD' as const, cause, name: name ?? '' }
  await notify(deps, trx, { customerId, kind: 'owed', params })
}

/**
 * Logs a new debt for the operator: as an error if the customer's cards are now blocked, otherwise as a warning. Logs another
 * error if payments at the shop are now declined. `npm run losses` lists the customers, shops and amounts.
 */
async function report(deps: DebtDeps, trx: Trx, debt: NewDebt & { shop: string | null }): Promise<void> {
  const { id: operationId, customerId, cause, shop } = debt
  const { customerMinor, shopMinor } = deps.policy.losses
  const owedMinor = (await owedOf(trx, [customerId])).get(customerId) ?? 0
  const shopLossMinor = shop === null ? 0 : ((await shopLosses(deps, trx, [shop])).get(shop) ?? 0)
  const logFields = { operationId, customerId, cause }
  if (owedMinor >= customerMinor)
    deps.log.error(logFields, "a customer's debt is above the limit, and their cards are blocked")
  else deps.log.warn(logFields, 'the bank paid for a customer')
  if (shopLossMinor >= shopMinor)
    deps.log.error(logFields, 'payments at a shop are declined, because they cost the bank too much')
}

/** Returns the customers' remaining debts in US cents. Customers without debts are left out. */
export async function owedOf(db: Deps['db'], customerIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (customerIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('bank.owed')
    .select(['customer_id', ({ fn }) => fn.sum<string>('left_minor').as('minor')])
    .where('customer_id', 'in', customerIds)
    .where('left_minor', '>', 0)
    .groupBy('customer_id')
    .execute()
  return new Map(rows.map((row) => [row.customer_id, Number(row.minor)]))
}

/**
 * Returns the time of the last loss at a shop whose payments are declined because of the bank's losses. Of several such shops,
 * returns the earliest of these times; null if there is no such shop.
 */
export async function shopsStoppedSince({
  clock,
  db,
  policy,
}: Pick<Deps, 'clock' | 'db' | 'policy'>): Promise<Date | null> {
  const rows = await db
    .selectFrom(lossesOfEach({ clock, policy }, db).where('shop', 'is not', null).as('each'))
    .select(({ fn }) => fn.max('each.at').as('at'))
    .groupBy('each.shop')
    .having(sql<boolean>`sum(each.minor) >= ${policy.losses.shopMinor}`)
    .orderBy('at')
    .limit(1)
    .execute()
  return rows[0]?.at ?? null
}

/**
 * Returns the unpaid costs of each customer at each shop in the policy's last `shopDays` days, in US cents. The costs of one
 * customer at a shop count only up to the limit that blocks the customer's cards. One customer alone thus cannot block a shop
 * for all others.
 */
function lossesOfEach({ clock, policy }: Pick<Deps, 'clock' | 'policy'>, db: Deps['db']) {
  const { customerMinor, shopDays } = policy.losses
  return (
    db
      .selectFrom('bank.owed')
      .select([
        'shop',
        sql<string>`least(sum(left_minor + lost_minor), ${customerMinor}::bigint)`.as('minor'),
        ({ fn }) => fn.max('created_at').as('at'),
      ])
      .where('created_at', '>', new Date(clock.businessNow().getTime() - shopDays * DAY_MS))
      // The text must equal the index's condition.
      .where(sql<boolean>`left_minor + lost_minor > 0`)
      .groupBy(['shop', 'customer_id'])
  )
}

/**
 * Returns the unpaid costs of all customers together at each of the given shops, in US cents. Shops without losses are left
 * out.
 */
export async function shopLosses(
  { clock, policy }: Pick<Deps, 'clock' | 'policy'>,
  db: Deps['db'],
  shops: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (shops.length === 0) return new Map()
  const rows = await db
    .selectFrom(lossesOfEach({ clock, policy }, db).where('shop', 'in', shops).as('each'))
    .select(['each.shop', ({ fn }) => fn.sum<string>('each.minor').as('minor')])
    .groupBy('each.shop')
    .execute()
  return new Map(rows.map(({ shop, minor }) => [shop ?? '', Number(minor)]))
}

function selectDebts(db: Deps['db'], customerId: string) {
  return db
    .selectFrom('bank.owed')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_at')
    .orderBy('id')
}

const debtOf = (row: DebtRow): Debt => ({
  id: row.id,
  cause: row.cause,
  name: row.name ?? '',
  amountMinor: row.amount_minor,
  leftMinor: row.left_minor,
  asset: 'USD',
  createdAt: row.created_at.toISOString(),
})

/** Returns a customer's open debts, the oldest first. */
export async function debtsOf(db: Deps['db'], customerId: string): Promise<Debt[]> {
  return (await selectDebts(db, customerId).where('left_minor', '>', 0).execute()).map(debtOf)
}

/** Returns all past and open debts of a customer, for the data download. */
export async function everyDebtOf(db: Deps['db'], customerId: string): Promise<Debt[]> {
  return (await selectDebts(db, customerId).execute()).map(debtOf)
}

/**
 * Locks a customer's open debts, the oldest first. With `causeId`, only the debts of that cause are locked. The locks of
 * `lockFunds` must be taken first.
 */
export async function lockDebts(trx: Trx, customerId: string, causeId?: string): Promise<DebtRow[]> {
  let query = selectDebts(trx, customerId).where('left_minor', '>', 0)
  if (causeId !== undefined) query = query.where('cause_id', '=', causeId)
  return query.forNoKeyUpdate().execute()
}

/** Returns the amount still owed for each given cause that has debts, by the id of the cause, in US cents. */
export async function debtsLeft(db: Deps['db'], causeIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (causeIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('bank.owed')
    .select(['cause_id', ({ fn }) => fn.sum<string>('left_minor').as('minor')])
    .where('cause_id', 'in', causeIds)
    .groupBy('cause_id')
    .execute()
  return new Map(rows.map((row) => [row.cause_id ?? '', Number(row.minor)]))
}

/** Prevents a customer with debts from closing. Throws Refusal `owes_bank`. */
export async function refuseIfOwing(trx: Trx, customerId: string): Promise<void> {
  if ((await owedOf(trx, [customerId])).has(customerId)) throw new Refusal('owes_bank')
}

/** The part of a payment that goes to one debt. */
export type DebtPayment = { debt: DebtRow; paidMinor: number }

/** Splits an amount among debts, one after the other. */
export function allocateToDebts(debts: readonly DebtRow[], amountMinor: number): DebtPayment[] {
  let remainingMinor = amountMinor
  return debts.flatMap((debt) => {
    const paidMinor = Math.min(remainingMinor, debt.left_minor)
    remainingMinor -= paidMinor
    return paidMinor > 0 ? [{ debt, paidMinor }] : []
  })
}

export async function reduceDebts(trx: Trx, shares: readonly DebtPayment[]): Promise<void> {
  for (const { debt, paidMinor } of shares)
    await trx
      .updateTable('bank.owed')
      .set({ left_minor: debt.left_minor - paidMinor })
      .where('id', '=', debt.id)
      .execute()
}
