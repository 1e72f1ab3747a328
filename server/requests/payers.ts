import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { CUSTOMER_FIELDS, type Customer, customerOf } from '#server/identity/customers/customers.ts'
import { findRecentCounterparties } from '#server/ledger/recent-counterparties.ts'

/** The bank's and the requester's information about an address that receives a request. */
export type Payer = {
  /** The requester's name for the address; null if they have none. */
  name: string | null
  /** The customer who has confirmed the address; null if no customer has. */
  customer: Customer | null
}

/**
 * Finds the people who own normalized addresses, with a constant number of queries. `knownAs` contains the customers whom the
 * caller already knows for some addresses. They need not have confirmed these addresses.
 */
export async function findPayers(
  trx: Transaction<Database>,
  requester: Customer,
  addresses: readonly string[],
  knownAs: ReadonlyMap<string, Customer> = new Map(),
): Promise<Map<string, Payer>> {
  if (addresses.length === 0) return new Map()
  const names = await namesFor(trx, requester, addresses)
  const customers = new Map([...(await findCustomersByAddress(trx, addresses)), ...knownAs])
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

/** Returns the customers with these confirmed addresses, by address. */
export async function findCustomersByAddress(
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

/** Returns whether the customer has the requester as a contact, or has recently paid them or been paid by them. */
export async function hasDealtWith(
  trx: Transaction<Database>,
  customer: Pick<Customer, 'id' | 'currentAccountId'>,
  requester: Pick<Customer, 'id' | 'currentAccountId'>,
): Promise<boolean> {
  const addresses = await confirmedAddresses({ db: trx }, requester.id)
  const contact =
    addresses.length > 0 &&
    (await trx
      .selectFrom('bank.contact')
      .select('owner_id')
      .where('address', 'in', addresses)
      .where('owner_id', '=', customer.id)
      .limit(1)
      .executeTakeFirst())
  if (contact) return true
  const paid = await findRecentCounterparties(runIn(trx), requester.currentAccountId, [customer.currentAccountId])
  return paid.has(customer.currentAccountId)
}

/** Returns those of the given customers who have blocked the requester. */
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

/**
 * Returns a customer's confirmed email and phone as an array expression for a statement. A request to one of them is a request
 * to the customer.
 */
export const confirmedAddressesOf = (customerId: string): RawBuilder<string[]> => sql<string[]>`
  ARRAY(SELECT email FROM bank.customer WHERE id = ${customerId} AND email_confirmed_at IS NOT NULL
        UNION ALL
        SELECT phone FROM bank.customer WHERE id = ${customerId} AND phone_confirmed_at IS NOT NULL AND phone IS NOT NULL)`

/** Reads a customer's confirmed email and phone. */
export async function confirmedAddresses({ db }: Pick<Deps, 'db'>, customerId: string): Promise<string[]> {
  const { addresses } = await db
    .selectNoFrom(confirmedAddressesOf(customerId).as('addresses'))
    .executeTakeFirstOrThrow()
  return addresses
}
