import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Database } from '#server/platform/db/schema.ts'

/**
 * Locks a customer until the SQL transaction ends, so that changes for one customer run one after the other. Lock the customer
 * before anything that belongs to them: a different order could deadlock. Waits for a closure in progress. Returns whether the
 * account is open.
 */
export async function lockCustomer(trx: Transaction<Database>, customerId: string): Promise<boolean> {
  const locked = await trx
    .selectFrom('bank.customer')
    .select('closed_at')
    .where('id', '=', customerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return locked?.closed_at === null
}

/** Locks the calling customer. Throws Refusal `sign_in_required` if they have closed their account. */
export async function lockOpenCustomer(trx: Transaction<Database>, customerId: string): Promise<void> {
  if (!(await lockCustomer(trx, customerId))) throw new Refusal('sign_in_required')
}

/**
 * Returns whether a customer has closed their account. Waits for a closure in progress. The result holds until the SQL
 * transaction ends.
 */
export async function hasClosed(trx: Transaction<Database>, customerId: string): Promise<boolean> {
  const customer = await trx
    .selectFrom('bank.customer')
    .select('closed_at')
    .where('id', '=', customerId)
    .forShare()
    .executeTakeFirst()
  return customer?.closed_at !== null
}
