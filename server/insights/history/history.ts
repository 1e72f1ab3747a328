import { type Kysely, sql, type Transaction } from 'kysely'
import type { Category } from '#contract/categories.ts'
import { hasClosed } from '#server/identity/customers/lock.ts'
import { accountsOf, isSpendingAccount } from '#server/ledger/accounts.ts'
import { type PayeeDay, payeeDays } from '#server/ledger/payees.ts'
import type { AccountId } from '#server/ledger/types.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

type Reader = Pick<Deps, 'db'>

/** How many entries are summed up in one SQL transaction, and how many sums are written in one statement. */
const ENTRIES_AT_ONCE = 20_000
const ROWS_AT_ONCE = 1_000

export type SpendingAccount = { id: AccountId; version: number; availableMinor: number }

/** The accounts a customer spends from, their entries summed up by payee and day as far as they go. */
export async function summedAccounts(deps: Reader, customerId: string): Promise<SpendingAccount[]> {
  const accounts = (await accountsOf(runIn(deps.db), customerId)).filter(isSpendingAccount)
  const rows = await deps.db
    .selectFrom('bank.insight_account')
    .select(['account_id', 'summed_version'])
    .where('customer_id', '=', customerId)
    .execute()
  const summed = new Map(rows.map((row) => [row.account_id, row.summed_version]))
  for (const { id, version } of accounts) {
    let upTo = summed.get(id) ?? 0
    while (upTo < version) upTo = await sumUp(deps, customerId, id, version)
  }
  return accounts.map(({ id, version, availableMinor }) => ({ id, version, availableMinor }))
}

/**
 * Adds the next entries of an account, up to `version`, to its sums by payee and day, and answers up to which they are
 * summed up now. The row of the account is locked meanwhile, so that two who do this at once add no entry twice. Of a
 * customer who has closed nothing is kept: it answers `version`, as if all was done.
 */
function sumUp(deps: Reader, customerId: string, accountId: AccountId, version: number): Promise<number> {
  return inTransaction(deps.db, async (trx) => {
    if (await hasClosed(trx, customerId)) return version
    await trx
      .insertInto('bank.insight_account')
      .values({ account_id: accountId, customer_id: customerId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const { summed_version: after } = await trx
      .selectFrom('bank.insight_account')
      .select('summed_version')
      .where('account_id', '=', accountId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const upTo = Math.min(version, after + ENTRIES_AT_ONCE)
    if (upTo <= after) return after
    const days = await payeeDays(runIn(trx), accountId, after, upTo)
    for (let from = 0; from < days.length; from += ROWS_AT_ONCE)
      await add(trx, accountId, days.slice(from, from + ROWS_AT_ONCE))
    await trx
      .updateTable('bank.insight_account')
      .set({ summed_version: upTo })
      .where('account_id', '=', accountId)
      .execute()
    return upTo
  })
}

async function add(trx: Transaction<Database>, accountId: AccountId, days: readonly PayeeDay[]): Promise<void> {
  await trx
    .insertInto('bank.payee_day')
    .values(
      days.map((one) => ({
        account_id: accountId,
        day: one.day,
        payee: one.payee,
        category: one.category,
        name: one.name,
        payments: one.payments,
        in_minor: one.inMinor,
        out_minor: one.outMinor,
        first_version: one.firstVersion,
        last_version: one.lastVersion,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'day', 'payee', 'category']).doUpdateSet({
        name: sql`excluded.name`,
        payments: sql`payee_day.payments + excluded.payments`,
        in_minor: sql`payee_day.in_minor + excluded.in_minor`,
        out_minor: sql`payee_day.out_minor + excluded.out_minor`,
        last_version: sql`excluded.last_version`,
      }),
    )
    .execute()
}

/** What was paid to, and by, a payee on a day. Amounts are US cents. */
export type DayPaid = {
  day: string
  payee: string
  name: string
  category: Category | ''
  payments: number
  inMinor: number
  outMinor: number
}

/** What was paid from one business day on, oldest first. The accounts are summed up already. */
export async function paidSince(
  db: Kysely<Database>,
  accounts: readonly SpendingAccount[],
  since: string,
): Promise<DayPaid[]> {
  const rows = await db
    .selectFrom('bank.payee_day')
    .select(['day', 'payee'])
    .select(({ fn }) => fn.max('name').as('name'))
    // One payee's, where they were booked in several: that of the most.
    .select(sql<string>`(array_agg(category ORDER BY out_minor + in_minor DESC))[1]`.as('category'))
    .select(sql<string>`sum(payments)`.as('payments'))
    .select(sql<string>`sum(in_minor)`.as('in_minor'))
    .select(sql<string>`sum(out_minor)`.as('out_minor'))
    .where(
      'account_id',
      'in',
      accounts.map(({ id }) => id),
    )
    .where('day', '>=', since)
    .groupBy(['day', 'payee'])
    .orderBy('day')
    .execute()
  return rows.map((row) => ({
    day: row.day,
    payee: row.payee,
    name: row.name,
    category: row.category as DayPaid['category'],
    payments: Number(row.payments),
    inMinor: Number(row.in_minor),
    outMinor: Number(row.out_minor),
  }))
}
