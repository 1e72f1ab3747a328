import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Database } from '#server/platform/db/schema.ts'

/**
 * Locks a customer until the SQL transaction ends: what is done for them at the same moment is done one after the other.
 * Comes before any lock on what is theirs: taken in different orders, the two could deadlock. Answers whether they are
 * open; who is just closing is waited for.
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

/** The same for who asks. Throws Refusal `sign_in_required` where they have closed. */
export async function lockOpenCustomer(trx: Transaction<Database>, customerId: string): Promise<void> {
  if (!(await lockCustomer(trx, customerId))) throw new Refusal('sign_in_required')
}

/** Whether a customer has closed, which stays so until the SQL transaction ends; who is just closing is waited for. */
export async function hasClosed(trx: Transaction<Database>, customerId: string): Promise<boolean> {
  const customer = await trx
    .selectFrom('bank.customer')
    .select('closed_at')
    .where('id', '=', customerId)
    .forShare()
    .executeTakeFirst()
  return customer?.closed_at !== null
}
