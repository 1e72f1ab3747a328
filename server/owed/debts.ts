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

/** Why the bank paid for a customer: `id` is the operation by which it did. */
export type NewDebt = {
  id: string
  customerId: string
  cause: OwedCause
  /** The card payment, the top-up or the dispute. */
  causeId: string | null
  /** Of a card payment: where it was made. */
  name: string | null
  amountMinor: number
  /** Whether nobody is left to collect it from. */
  lost: boolean
}

/** Two spellings of one shop are one shop. */
export const shopOf = (merchant: string): string =>
  merchant.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()

/** Writes down what the bank paid for a customer, tells them, and tells the operator. To be called once the ledger has booked it. */
export async function keepDebt(deps: DebtDeps, trx: Trx, debt: NewDebt): Promise<void> {
  const { id, customerId, cause, causeId, name, amountMinor, lost } = debt
  const now = deps.clock.businessNow()
  const shop = cause === 'card_payment' && name !== null ? shopOf(name) : null
  const left = lost ? { left_minor: 0, lost_minor: amountMinor } : { left_minor: amountMinor }
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
      ...left,
      asset: 'USD',
      created_at: now,
    })
    .execute()
  await report(deps, trx, { ...debt, shop })
  if (lost) return
  const params = { amountMinor, asset: 'USD' as const, cause, name: name ?? '' }
  await notify(deps, trx, { customerId, kind: 'owed', params })
}

/** A loss past a limit stops a card or a shop, which the operator has to know of. `npm run losses` says who, where and how much. */
async function report(deps: DebtDeps, trx: Trx, debt: NewDebt & { shop: string | null }): Promise<void> {
  const { id: operationId, customerId, cause, shop } = debt
  const { customerMinor, shopMinor } = deps.policy.losses
  const owedMinor = (await owedOf(trx, [customerId])).get(customerId) ?? 0
  const shopLossMinor = shop === null ? 0 : ((await shopLosses(deps, trx, [shop])).get(shop) ?? 0)
  const told = { operationId, customerId, cause }
  if (owedMinor >= customerMinor) deps.log.error(told, 'a customer owes so much that their cards are stopped')
  else deps.log.warn(told, 'the bank paid for a customer')
  if (shopLossMinor >= shopMinor)
    deps.log.error(told, 'payments at a shop are declined, because they cost the bank too much')
}

/** What is left of what customers owe, US cents; those who owe nothing are left out. */
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

/** Since when a shop has cost the bank so much that its payments are declined; null where none has. */
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
 * What each customer cost the bank at each shop lately and was not paid back, US cents. Each counts for no more than stops
 * their own cards: one alone must not stop a shop for all others.
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
      // Word for word the condition of the index.
      .where(sql<boolean>`left_minor + lost_minor > 0`)
      .groupBy(['shop', 'customer_id'])
  )
}

/** The same of all customers together; shops that cost the bank nothing are left out. */
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

/** What a customer still owes, the oldest first. */
export async function debtsOf(db: Deps['db'], customerId: string): Promise<Debt[]> {
  return (await selectDebts(db, customerId).where('left_minor', '>', 0).execute()).map(debtOf)
}

/** All that they have ever owed, for their download. */
export async function everyDebtOf(db: Deps['db'], customerId: string): Promise<Debt[]> {
  return (await selectDebts(db, customerId).execute()).map(debtOf)
}

/** The debts that are not paid, locked, the oldest first; of one cause alone where it is named. The purse's locks come first. */
export async function lockDebts(trx: Trx, customerId: string, causeId?: string): Promise<DebtRow[]> {
  let query = selectDebts(trx, customerId).where('left_minor', '>', 0)
  if (causeId !== undefined) query = query.where('cause_id', '=', causeId)
  return query.forNoKeyUpdate().execute()
}

/** Whether something that a payment, a top-up or a dispute cost the bank is still owed, US cents. */
export async function leftOf(db: Deps['db'], causeIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (causeIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('bank.owed')
    .select(['cause_id', ({ fn }) => fn.sum<string>('left_minor').as('minor')])
    .where('cause_id', 'in', causeIds)
    .groupBy('cause_id')
    .execute()
  return new Map(rows.map((row) => [row.cause_id ?? '', Number(row.minor)]))
}

/** Keeps a customer from leaving while they owe anything. Throws Refusal `owes_bank`. */
export async function refuseOwing(trx: Trx, customerId: string): Promise<void> {
  if ((await owedOf(trx, [customerId])).has(customerId)) throw new Refusal('owes_bank')
}

/** How much a debt is paid. */
export type Share = { debt: DebtRow; paidMinor: number }

/** Pays debts with an amount, one after the other. */
export function sharesOf(debts: readonly DebtRow[], amountMinor: number): Share[] {
  let rest = amountMinor
  return debts.flatMap((debt) => {
    const paidMinor = Math.min(rest, debt.left_minor)
    rest -= paidMinor
    return paidMinor > 0 ? [{ debt, paidMinor }] : []
  })
}

export async function lessen(trx: Trx, shares: readonly Share[]): Promise<void> {
  for (const { debt, paidMinor } of shares)
    await trx
      .updateTable('bank.owed')
      .set({ left_minor: debt.left_minor - paidMinor })
      .where('id', '=', debt.id)
      .execute()
}
