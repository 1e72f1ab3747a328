import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { CUSTOMER_FIELDS, type Customer, customerOf } from '#server/identity/customers/customers.ts'
import { dealtLately } from '#server/ledger/dealings.ts'

/** What is known of an address that somebody is asked by. */
export type Payer = {
  /** What the requester calls it; null where they have no name for it. */
  name: string | null
  /** The customer whose confirmed address it is. */
  customer: Customer | null
}

/**
 * Whom addresses name, in the form the bank keeps; in a few queries, however many there are. `knownAs` has whom the caller
 * knows some of them for, confirmed or not.
 */
export async function findPayers(
  trx: Transaction<Database>,
  requester: Customer,
  addresses: readonly string[],
  knownAs: ReadonlyMap<string, Customer> = new Map(),
): Promise<Map<string, Payer>> {
  if (addresses.length === 0) return new Map()
  const names = await namesFor(trx, requester, addresses)
  const customers = new Map([...(await customersAt(trx, addresses)), ...knownAs])
  return new Map(
    addresses.map((address) => [
      address,
      { name: names.get(address) ?? null, customer: customers.get(address) ?? null },
    ]),
  )
}

async function namesFor(trx: Transaction<Database>, { id }: Customer, addresses: readonly string[]) {
  const rows = await trx
    .selectFrom('bank.contact')
    .select(['address', 'name'])
    .where('owner_id', '=', id)
    .where('address', 'in', [...addresses])
    .execute()
  return new Map(rows.map(({ address, name }) => [address, name]))
}

/** The customers with these confirmed addresses, by address. */
export async function customersAt(
  trx: Transaction<Database>,
  addresses: readonly string[],
): Promise<Map<string, Customer>> {
  const byEmail = trx
    .selectFrom('bank.customer')
    .select(CUSTOMER_FIELDS)
    .select('email as address')
    .where('email', 'in', [...addresses])
    .where('email_confirmed_at', 'is not', null)
  const byPhone = trx
    .selectFrom('bank.customer')
    .select(CUSTOMER_FIELDS)
    .select(({ ref }) => ref('phone').$notNull().as('address'))
    .where('phone', 'in', [...addresses])
    .where('phone_confirmed_at', 'is not', null)
  const rows = await byEmail.unionAll(byPhone).execute()
  return new Map(rows.map((row) => [row.address, customerOf(row)]))
}

/** Whether a customer has the requester as a contact, or has paid them or been paid by them lately. */
export async function knows(
  trx: Transaction<Database>,
  customer: Pick<Customer, 'id' | 'currentAccountId'>,
  requester: Pick<Customer, 'id' | 'currentAccountId'>,
): Promise<boolean> {
  const own = await confirmedAddresses({ db: trx }, requester.id)
  const contact =
    own.length > 0 &&
    (await trx
      .selectFrom('bank.contact')
      .select('owner_id')
      .where('address', 'in', own)
      .where('owner_id', '=', customer.id)
      .limit(1)
      .executeTakeFirst())
  if (contact) return true
  const paid = await dealtLately(runIn(trx), requester.currentAccountId, [customer.currentAccountId])
  return paid.has(customer.currentAccountId)
}

/** Those of some customers who have blocked a requester. */
export async function blockersOf(
  trx: Transaction<Database>,
  requesterId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await trx
    .selectFrom('bank.request_block')
    .select('blocker_id')
    .where('blocked_id', '=', requesterId)
    .where('blocker_id', 'in', [...ids])
    .execute()
  return new Set(rows.map(({ blocker_id }) => blocker_id))
}

/** The email and phone that are a customer's beyond doubt, as an array in a statement: what is asked of these is asked of them. */
export const confirmedAddressesOf = (customerId: string): RawBuilder<string[]> => sql<string[]>`
  ARRAY(SELECT email FROM bank.customer WHERE id = ${customerId} AND email_confirmed_at IS NOT NULL
        UNION ALL
        SELECT phone FROM bank.customer WHERE id = ${customerId} AND phone_confirmed_at IS NOT NULL AND phone IS NOT NULL)`

/** The same, read by itself. */
export async function confirmedAddresses({ db }: Pick<Deps, 'db'>, customerId: string): Promise<string[]> {
  const { addresses } = await db
    .selectNoFrom(confirmedAddressesOf(customerId).as('addresses'))
    .executeTakeFirstOrThrow()
  return addresses
}
