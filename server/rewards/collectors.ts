import { randomBytes } from 'node:crypto'
import type { Selectable, Transaction } from 'kysely'
import { accountsOf, openAccounts } from '#server/ledger/accounts.ts'
import type { AccountId } from '#server/ledger/types.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'

/** A customer who collects points, with their points account. */
export type Collector = {
  customerId: string
  accountId: AccountId
  referralCode: string
  /** The time from which events earn points. */
  since: Date
  /**
   * The number of points that the customer still owes, because a refund took back points that were already spent. The next
   * earned points repay them.
   */
  owed: number
}

/** The letters and digits of a code, without those that look alike. */
const CODE_CHARACTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Returns an unguessable code of letters and digits, for a person to read and type. */
export function randomCode(length: number): string {
  return Array.from(randomBytes(length), (byte) => CODE_CHARACTERS.charAt(byte % CODE_CHARACTERS.length)).join('')
}

/**
 * Makes a customer a collector, who earns points for events from `since` on. Opens a points account if the customer has none.
 * Returns the points account.
 */
export async function openCollector(
  trx: Transaction<Database>,
  {
    customerId,
    since,
    existingAccountId,
  }: Pick<Collector, 'customerId' | 'since'> & { existingAccountId?: AccountId | undefined },
): Promise<AccountId> {
  const accountId =
    existingAccountId ??
    (await openAccounts(runIn(trx), [{ holderId: customerId, code: 'points', asset: 'POINTS' }]))[0]
  if (accountId === undefined) throw new Error('The ledger opened no account')
  await trx
    .insertInto('bank.collector')
    .values({ customer_id: customerId, account_id: accountId, referral_code: randomCode(8), since })
    .execute()
  return accountId
}

/**
 * Makes these customers collectors, unless they already are. They earn points for all events since they joined. Closed
 * customers are left out.
 */
export async function ensureCollectors(deps: Pick<Deps, 'db'>, customerIds: readonly string[]): Promise<void> {
  const { db } = deps
  if ((await customersWithoutCollector(db, customerIds)).length === 0) return
  await inTransaction(db, async (trx) => {
    const customers = trx.selectFrom('bank.customer').select('id').where('id', 'in', customerIds)
    await customers.where('closed_at', 'is', null).orderBy('id').forNoKeyUpdate().execute()
    // The query is repeated under the lock, because another process may have created the collectors meanwhile.
    for (const { id, created_at: since } of await customersWithoutCollector(trx, customerIds)) {
      const existingAccountId = (await accountsOf(runIn(trx), id)).find(({ code }) => code === 'points')?.id
      await openCollector(trx, { customerId: id, since, existingAccountId })
    }
  })
}

function customersWithoutCollector(db: Pick<Deps, 'db'>['db'], customerIds: readonly string[]) {
  return db
    .selectFrom('bank.customer as c')
    .leftJoin('bank.collector as k', 'k.customer_id', 'c.id')
    .select(['c.id', 'c.created_at'])
    .where('c.id', 'in', customerIds)
    .where('c.closed_at', 'is', null)
    .where('k.customer_id', 'is', null)
    .orderBy('c.id')
    .execute()
}

/**
 * Locks the collectors among these customers until the SQL transaction ends, and returns them by customer id. Closed customers
 * are left out. While the lock is held, no other transaction changes the customers' points. The caller must take this lock
 * before it posts anything: a posting locks accounts, and in another order two transactions could wait for each other.
 */
export async function lockCollectors(
  trx: Transaction<Database>,
  customerIds: readonly string[],
): Promise<Map<string, Collector>> {
  const rows = await trx
    .selectFrom('bank.collector as k')
    .innerJoin('bank.customer as c', 'c.id', 'k.customer_id')
    .selectAll('k')
    .where('k.customer_id', 'in', customerIds)
    .where('c.closed_at', 'is', null)
    .orderBy('k.customer_id')
    .forNoKeyUpdate('k')
    .execute()
  return new Map(rows.map((row) => [row.customer_id, collectorOf(row)]))
}

/** Returns a customer's collector. Creates it if it is missing. */
export async function findCollector(deps: Pick<Deps, 'db'>, customerId: string): Promise<Collector> {
  await ensureCollectors(deps, [customerId])
  const row = await deps.db
    .selectFrom('bank.collector')
    .selectAll()
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  return collectorOf(row)
}

function collectorOf(row: Selectable<Database['bank.collector']>): Collector {
  return {
    customerId: row.customer_id,
    accountId: row.account_id,
    referralCode: row.referral_code,
    since: row.since,
    owed: row.owed,
  }
}
