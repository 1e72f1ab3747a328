import { type Kysely, sql, type Transaction } from 'kysely'
import { monthOf } from '#server/calendar/months.ts'
import type { Category } from '#contract/categories.ts'
import { hasClosed } from '#server/identity/customers/lock.ts'
import { accountsOf, isSpendingAccount } from '#server/ledger/accounts.ts'
import { type PayeeDay, payeeDays } from '#server/ledger/payees.ts'
import type { AccountId } from '#server/ledger/types.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

type Reader = Pick<Deps, 'db'>

/** The number of entries summed in one SQL transaction, and the number of sums written in one statement. */
const ENTRIES_AT_ONCE = 20_000
const ROWS_AT_ONCE = 1_000

export type SpendingAccount = { id: AccountId; version: number; availableMinor: number }

/** Returns the accounts from which a customer spends, after bringing their sums by payee and day up to date. */
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
 * Adds an account's next entries, up to `version`, to its sums by payee and day. Returns the version up to which entries are
 * summed now. A lock on the account's row keeps concurrent calls from adding an entry twice. For a customer who has closed
 * their account nothing is stored, and the function returns `version`, as if all entries were summed.
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
    await writeMonths(trx, accountId, days)
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
      days.map((day) => ({
        account_id: accountId,
        day: day.day,
        payee: day.payee,
        category: day.category,
        name: day.name,
        payments: day.payments,
        in_minor: day.inMinor,
        out_minor: day.outMinor,
        first_version: day.firstVersion,
        last_version: day.lastVersion,
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

/** Recomputes the months of some payees from their days. */
async function writeMonths(trx: Transaction<Database>, accountId: AccountId, days: readonly PayeeDay[]): Promise<void> {
  const months = [...Map.groupBy(days, ({ day, payee }) => `${day.slice(0, 7)} ${payee}`).keys()]
  await sql`
    INSERT INTO bank.payee_month (account_id, month, payee, name, days)
    SELECT ${accountId}, given.month, given.payee, found.name, found.days
      FROM unnest(${months.map((month) => month.slice(0, 7))}::text[], ${months.map((month) => month.slice(8))}::text[])
           AS given (month, payee)
           CROSS JOIN LATERAL (
             SELECT (array_agg(name ORDER BY last_version DESC))[1] AS name,
                    json_agg(json_build_array(extract(day FROM day), category, in_minor, out_minor) ORDER BY day) AS days
               FROM (SELECT day, (array_agg(category ORDER BY in_minor + out_minor DESC))[1] AS category,
                            (array_agg(name ORDER BY last_version DESC))[1] AS name, max(last_version) AS last_version,
                            sum(in_minor) AS in_minor, sum(out_minor) AS out_minor
                       FROM bank.payee_day
                      WHERE account_id = ${accountId} AND payee = given.payee
                        AND day >= (given.month || '-01')::date
                        AND day < (given.month || '-01')::date + interval '1 month'
                      GROUP BY day) paid
           ) found
    ON CONFLICT (account_id, month, payee) DO UPDATE SET name = excluded.name, days = excluded.days`.execute(trx)
}

/** The payments to and from a payee on a day. Amounts are US cents. */
export type PayeeDayPayments = {
  day: string
  payee: string
  name: string
  category: Category | ''
  inMinor: number
  outMinor: number
}

/** A day of a month in bank.payee_month. */
type DayOfMonth = [dayOfMonth: number, category: PayeeDayPayments['category'], inMinor: number, outMinor: number]

/** Returns the payments from one business day on, oldest first. The accounts' sums must be up to date. */
export async function readPaymentsSince(
  db: Kysely<Database>,
  accounts: readonly SpendingAccount[],
  since: string,
): Promise<PayeeDayPayments[]> {
  const rows = await db
    .selectFrom('bank.payee_month')
    .select(['month', 'payee', 'name'])
    .select(sql<DayOfMonth[]>`days`.as('days'))
    .where(
      'account_id',
      'in',
      accounts.map(({ id }) => id),
    )
    .where('month', '>=', monthOf(since))
    .orderBy('month')
    .orderBy('payee')
    .execute()
  return [...Map.groupBy(rows, ({ month }) => month)].flatMap(([month, payees]) => daysOf(month, payees, since))
}

type PayeeMonth = Pick<PayeeDayPayments, 'payee' | 'name'> & { days: DayOfMonth[] }

/** Returns the days of a month from `since` on. The payees are sorted, so the payees of each day are sorted too. */
function daysOf(month: string, payees: readonly PayeeMonth[], since: string): PayeeDayPayments[] {
  const dates = Array.from({ length: 32 }, (_, index) => `${month}-${String(index).padStart(2, '0')}`)
  const paymentsByDay = dates.map((): PayeeDayPayments[] => [])
  for (const { payee, name, days } of payees) {
    for (const [dayOfMonth, category, inMinor, outMinor] of days) {
      const [day = '', ofDay = []] = [dates[dayOfMonth], paymentsByDay[dayOfMonth]]
      const payment = { day, payee, name, category, inMinor, outMinor }
      const before = ofDay.at(-1)
      if (before?.payee === payee) ofDay[ofDay.length - 1] = together(payment, before)
      else ofDay.push(payment)
    }
  }
  return paymentsByDay.flat().filter(({ day }) => day >= since)
}

/** Combines a day's payments to one payee from two accounts. The category is that of the larger sum. */
function together(one: PayeeDayPayments, other: PayeeDayPayments): PayeeDayPayments {
  const largerPayment = other.inMinor + other.outMinor > one.inMinor + one.outMinor ? other : one
  return { ...largerPayment, inMinor: one.inMinor + other.inMinor, outMinor: one.outMinor + other.outMinor }
}
