import type { Kysely } from 'kysely'
import { CUSTOMER_FIELDS, type Customer, customerOf, type CustomerRow } from '#server/identity/customers/customers.ts'
import type { Database } from '#server/platform/db/schema.ts'

/** A customer with the hash of their password, if they have a password. */
export type PasswordHolder = { customer: Customer; passwordHash: string | null }

function selectHolder(db: Kysely<Database>) {
  return db
    .selectFrom('bank.customer')
    .select([...CUSTOMER_FIELDS, 'password_hash'])
    .where('closed_at', 'is', null)
}

function holderOf(row: (CustomerRow & { password_hash: string | null }) | undefined): PasswordHolder | null {
  return row ? { customer: customerOf(row), passwordHash: row.password_hash } : null
}

/** Returns the customer with this confirmed email, given in stored form, or null. */
export async function holderOfEmail(db: Kysely<Database>, email: string): Promise<PasswordHolder | null> {
  const row = await selectHolder(db)
    .where('email', '=', email)
    .where('email_confirmed_at', 'is not', null)
    .executeTakeFirst()
  return holderOf(row)
}

export async function holderById(db: Kysely<Database>, customerId: string): Promise<PasswordHolder | null> {
  return holderOf(await selectHolder(db).where('id', '=', customerId).executeTakeFirst())
}
