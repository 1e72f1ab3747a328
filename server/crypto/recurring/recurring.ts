import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { BUY_LEAST_MINOR, RECURRING_MOST } from '#contract/crypto-terms.ts'
import type { RecurringBuy, RecurringRequest } from '#contract/crypto.ts'
import { Refusal } from '#contract/errors.ts'
import { planNextRun } from '#server/crypto/recurring/next-run.ts'
import { checkVerified } from '#server/limits/verified.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { once } from '#server/platform/once.ts'
import { dateOf, mayBeScheduled } from '#server/schedules/calendar.ts'

const nextOnText = sql<string>`to_char(next_on, 'YYYY-MM-DD')`.as('next_on')
const anchorOnText = sql<string>`to_char(anchor_on, 'YYYY-MM-DD')`.as('anchor_on')

export const recurringQuery = (db: Kysely<Database>) =>
  db
    .selectFrom('bank.crypto_recurring')
    .select(['id', 'customer_id', 'asset', 'amount_minor', 'every', 'passed', 'status', 'created_at'])
    .select([nextOnText, anchorOnText])

export type RecurringRow = Awaited<ReturnType<ReturnType<typeof recurringQuery>['executeTakeFirstOrThrow']>>

/** What changes once a buy's next date is over: its dates. */
export function afterDate({ every, anchor_on, passed }: Pick<RecurringRow, 'every' | 'anchor_on' | 'passed'>) {
  return { passed: passed + 1, next_on: dateOf(anchor_on, every, passed + 1) }
}

function recurringOf(row: RecurringRow): RecurringBuy {
  const { id, asset, amount_minor: amountMinor, every, next_on: nextOn } = row
  return { id, asset, amountMinor, amountAsset: 'USD', every, nextOn }
}

/** A customer's recurring buys, in the order of their next date. */
export async function recurringOfCustomer({ db }: Pick<Deps, 'db'>, customerId: string): Promise<RecurringBuy[]> {
  const rows = await recurringQuery(db)
    .where('customer_id', '=', customerId)
    .where('status', '=', 'active')
    .orderBy('bank.crypto_recurring.next_on')
    .orderBy('id')
    .execute()
  return rows.map(recurringOf)
}

/** Every recurring buy that a customer ever had, by id; `after` is the last one that was read. */
export async function exportedRecurring(
  { db }: Pick<Deps, 'db'>,
  customerId: string,
  after: string | null,
  limit: number,
) {
  const query = recurringQuery(db).where('customer_id', '=', customerId)
  const rows = await (after === null ? query : query.where('id', '>', after)).orderBy('id').limit(limit).execute()
  return rows.map((row) => ({ ...recurringOf(row), status: row.status, createdAt: row.created_at.toISOString() }))
}

/**
 * Sets up a recurring buy, once for its key. Whether there is money is asked on each date. Throws Refusal
 * `verification_required`, `amount_too_small`, `amount_too_large`, `schedule_date_invalid` and `recurring_full`.
 */
export async function createRecurring(
  deps: Pick<Deps, 'db' | 'clock' | 'policy'>,
  customer: Customer,
  asked: RecurringRequest,
  key: RequestKey,
): Promise<RecurringBuy> {
  checkVerified(deps, customer)
  const { amountMinor, startsOn } = asked
  if (amountMinor < BUY_LEAST_MINOR) throw new Refusal('amount_too_small', 'amountMinor')
  if (amountMinor > deps.policy.limits.out.operationMinor) throw new Refusal('amount_too_large', 'amountMinor')
  const now = deps.clock.businessNow()
  const { result: id } = await once(deps, key, async (trx) => {
    if (!mayBeScheduled(startsOn, now)) throw new Refusal('schedule_date_invalid', 'startsOn')
    await makeRoom(trx, customer.id)
    const made = await keepRecurring(trx, customer.id, asked, now)
    await planNextRun(trx, customer.id)
    return made
  })
  const row = await recurringQuery(deps.db).where('id', '=', id).executeTakeFirstOrThrow()
  return recurringOf(row)
}

/** Throws Refusal `recurring_full`, and `sign_in_required` for a customer who has closed at this moment. */
async function makeRoom(trx: Transaction<Database>, customerId: string): Promise<void> {
  if (!(await lockCustomer(trx, customerId))) throw new Refusal('sign_in_required')
  const { count } = await trx
    .selectFrom('bank.crypto_recurring')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow()
  if (count >= RECURRING_MOST) throw new Refusal('recurring_full')
}

async function keepRecurring(
  trx: Transaction<Database>,
  customerId: string,
  { asset, amountMinor, every, startsOn }: RecurringRequest,
  createdAt: Date,
): Promise<string> {
  const id = randomUUIDv7()
  const made = { id, customer_id: customerId, created_at: createdAt }
  const dates = { every, anchor_on: startsOn, next_on: startsOn }
  await trx
    .insertInto('bank.crypto_recurring')
    .values({ ...made, ...dates, asset, amount_minor: amountMinor })
    .execute()
  return id
}

/** A recurring buy that nobody else changes before the SQL transaction ends. Its customer is locked first. */
export async function lockRecurring(
  trx: Transaction<Database>,
  customerId: string,
  id: string,
): Promise<RecurringRow | null> {
  await lockCustomer(trx, customerId)
  const row = await recurringQuery(trx)
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}
