import { randomBytes } from 'node:crypto'
import type { Selectable, Transaction } from 'kysely'
import { accountsOf, openAccounts } from '#server/ledger/accounts.ts'
import type { AccountId } from '#server/ledger/types.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'

/** Who collects points, and on which account. */
export type Collector = {
  customerId: string
  accountId: AccountId
  referralCode: string
  /** What happened before earns nothing. */
  since: Date
  /** Points spent that a refund has since taken back. */
  owed: number
}

/** Without those that are read as another. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** Letters and digits that nobody guesses, for a person to read and type. */
export function randomCode(length: number): string {
  return Array.from(randomBytes(length), (byte) => LETTERS.charAt(byte % LETTERS.length)).join('')
}

/**
 * Lets a customer collect points for what happens from `since` on, on an account that they have for it or on a new one.
 * Answers the account.
 */
export async function openCollector(
  trx: Transaction<Database>,
  { customerId, since, known }: Pick<Collector, 'customerId' | 'since'> & { known?: AccountId | undefined },
): Promise<AccountId> {
  const accountId =
    known ?? (await openAccounts(runIn(trx), [{ holderId: customerId, code: 'points', asset: 'POINTS' }]))[0]
  if (accountId === undefined) throw new Error('The ledger opened no account')
  await trx
    .insertInto('bank.collector')
    .values({ customer_id: customerId, account_id: accountId, referral_code: randomCode(8), since })
    .execute()
  return accountId
}

/** Lets those of the customers collect points who do not yet; customers who have closed never will. */
export async function ensureCollectors(deps: Pick<Deps, 'db'>, customerIds: readonly string[]): Promise<void> {
  const { db } = deps
  if ((await withoutCollector(db, customerIds)).length === 0) return
  await inTransaction(db, async (trx) => {
    const customers = trx.selectFrom('bank.customer').select('id').where('id', 'in', customerIds)
    await customers.where('closed_at', 'is', null).orderBy('id').forNoKeyUpdate().execute()
    // Asked again under the lock: somebody else may have been first.
    for (const { id, created_at: since } of await withoutCollector(trx, customerIds)) {
      const known = (await accountsOf(runIn(trx), id)).find(({ code }) => code === 'points')?.id
      await openCollector(trx, { customerId: id, since, known })
    }
  })
}

function withoutCollector(db: Pick<Deps, 'db'>['db'], customerIds: readonly string[]) {
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
 * The customers who collect points, by customer, locked until the SQL transaction ends: whatever gives or takes points
 * comes one after the other. Whoever has closed is left out. Called before the transaction posts anything.
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

/** The customer as one who collects points, from now on if not before. */
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
