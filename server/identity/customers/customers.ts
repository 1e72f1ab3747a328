import { randomUUIDv7 } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, isUniqueViolation, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { runOnce } from '#server/platform/idempotency.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { type ContactAddress, readContact } from '#server/identity/customers/contact.ts'
import { readName } from '#server/identity/customers/name.ts'
import { tokenDigestOf } from '#server/platform/secrets/token.ts'
import { openAccounts } from '#server/ledger/accounts.ts'

type CustomerRole = 'customer' | 'reviewer'

/** A customer in the form that all slices use. */
export type Customer = {
  id: string
  fullName: string
  /** The email, in lower case. */
  email: string
  /** The phone number in E.164 form. Null without one. */
  phone: string | null
  /** The ledger account that the dashboard shows and from which payments are debited. */
  currentAccountId: number
  role: CustomerRole
  /** Whether the customer has proved that the email is theirs. Other customers can find them by email only then. */
  emailConfirmed: boolean
  /**
   * Whether the bank has verified the customer's identity from documents. A later decision that rejects or reopens the case
   * sets it to false.
   */
  verified: boolean
  /** The code of the customer's chosen language. The bank may since have dropped that language. Null until they choose one. */
  language: string | null
}

export type NewCustomer = {
  fullName: string
  email: string
  phone?: string | null
  passwordHash?: string | null
  dateOfBirth?: string
  address?: string
  postcode?: string
  /** The contacts that the customer has not confirmed yet. Empty by default. */
  unconfirmed?: readonly ContactAddress['kind'][]
  /** The time of creation in business time. The default is the present time. */
  createdAt?: Date
}

/** The columns of bank.customer that a Customer is made from. */
export const CUSTOMER_FIELDS = [
  'id',
  'full_name',
  'email',
  'phone',
  'current_account_id',
  'role',
  'email_confirmed_at',
  'verified_at',
  'language',
] as const

/** Returns the columns as plain SQL, from bank.customer or a subquery under the alias `table`. */
export function customerColumns(table: string, prefix = ''): string {
  return CUSTOMER_FIELDS.map((column) => `${table}.${column} AS ${prefix}${column}`).join(', ')
}

/** The columns as plain SQL, from bank.customer under the alias c. */
export const CUSTOMER_COLUMNS = customerColumns('c')

export type CustomerRow = {
  id: string
  full_name: string
  email: string
  phone: string | null
  current_account_id: number
  role: CustomerRole
  email_confirmed_at: Date | null
  verified_at: Date | null
  language: string | null
}

/** Makes a Customer from a row. `prefix` is the same as for `customerColumns`. */
export function customerOf(row: CustomerRow, prefix = ''): Customer {
  const readColumn = <Column extends keyof CustomerRow>(column: Column) =>
    (row as Record<string, unknown>)[prefix + column] as CustomerRow[Column]
  return {
    id: readColumn('id'),
    fullName: readColumn('full_name'),
    email: readColumn('email'),
    phone: readColumn('phone'),
    currentAccountId: readColumn('current_account_id'),
    role: readColumn('role'),
    emailConfirmed: readColumn('email_confirmed_at') !== null,
    verified: readColumn('verified_at') !== null,
    language: readColumn('language'),
  }
}

/** Returns the id of a customer's current account. Throws if the customer does not exist. */
export async function currentAccountOf(db: Kysely<Database>, customerId: string): Promise<number> {
  const row = await db
    .selectFrom('bank.customer')
    .select('current_account_id')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  return row.current_account_id
}

/**
 * Reads a customer's own email or phone number into the stored form. Throws Refusal `email_invalid` or `phone_invalid` with the
 * field.
 */
export function readOwn(kind: ContactAddress['kind'], text: string): string {
  const contact = readContact(text)
  if (contact?.kind !== kind) throw new Refusal(`${kind}_invalid`, kind)
  return contact.value
}

/**
 * Gives a new customer their first data within the SQL transaction that creates them. No other transaction sees the customer
 * without it.
 */
type Endow = (customer: Customer, trx: Transaction<Database>) => Promise<void>

const nothing: Endow = async () => undefined

/**
 * Creates a customer with an empty current account in dollars. Throws Refusal `email_invalid` or `phone_invalid` for invalid
 * contacts, and the refusals of `readName`. Throws `request_invalid`, naming the field, for a contact that belongs to another
 * customer.
 */
export async function createCustomer(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: NewCustomer,
  endow: Endow = nothing,
): Promise<Customer> {
  return inTransaction(deps.db, async (trx) => {
    const customer = await createCustomerWithin(deps, trx, input)
    await endow(customer, trx)
    return customer
  })
}

/** The time after a sign-up in which a repetition of its request signs the sender in, in milliseconds of real time. */
const SENT_AGAIN_MS = 10 * 60_000

/**
 * Creates a customer once per request key. `replayed` means that an earlier request with this key created the customer. In that
 * case the function throws Refusal `idempotency_key_reused` if the customer was created too long ago, has closed their account,
 * or has changed their credentials since. A key only replaces a lost response; it is no credential.
 */
export async function createCustomerOnce(
  deps: Pick<Deps, 'db' | 'clock' | 'pool'>,
  input: NewCustomer,
  key: RequestKey,
  endow: Endow = nothing,
): Promise<{ customer: Customer; replayed: boolean }> {
  const { result, replayed } = await runOnce(deps, key, async (trx) => {
    const customer = await createCustomerWithin(deps, trx, input)
    await endow(customer, trx)
    return { id: customer.id, password: markOf(input.passwordHash) }
  })
  if (replayed && !(await isStillNew(deps, result, key))) throw new Refusal('idempotency_key_reused')
  const customer = (await findCustomers(deps, [result.id])).get(result.id)
  if (!customer) throw new Error('A customer that was just created is missing')
  return { customer, replayed }
}

/**
 * Returns a digest that changes when the customer's password changes. It is made from the salted hash, so it reveals nothing
 * about the password.
 */
function markOf(passwordHash: string | null | undefined): string | null {
  return passwordHash ? tokenDigestOf(passwordHash) : null
}

/** Returns whether the request with this key created the customer recently and their credentials are unchanged. */
async function isStillNew(
  { db, clock }: Pick<Deps, 'clock' | 'db'>,
  { id, password }: { id: string; password?: string | null },
  { operationId }: RequestKey,
): Promise<boolean> {
  const sentSince = new Date(clock.realNow().getTime() - SENT_AGAIN_MS)
  const row = await db
    .selectFrom('bank.customer as c')
    .select('c.password_hash')
    .where('c.id', '=', id)
    .where('c.closed_at', 'is', null)
    .where(({ exists, not, selectFrom }) =>
      not(exists(selectFrom('bank.passkey as p').select('p.id').whereRef('p.customer_id', '=', 'c.id'))),
    )
    .where(({ exists, not, selectFrom }) =>
      not(exists(selectFrom('bank.two_factor as t').select('t.customer_id').whereRef('t.customer_id', '=', 'c.id'))),
    )
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('bank.request').select('key').where('key', '=', operationId).where('made_at', '>', sentSince)),
    )
    .executeTakeFirst()
  return row !== undefined && markOf(row.password_hash) === password
}

/** Creates a customer within the caller's SQL transaction. */
export async function createCustomerWithin(
  deps: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  input: NewCustomer,
): Promise<Customer> {
  const id = randomUUIDv7()
  const fullName = readName(input.fullName)
  const email = readOwn('email', input.email)
  const phone = input.phone ? readOwn('phone', input.phone) : null
  const createdAt = input.createdAt ?? deps.clock.businessNow()
  const [currentAccountId] = await openAccounts(runIn(trx), [{ holderId: id, code: 'current', asset: 'USD' }])
  if (currentAccountId === undefined) throw new Error('The ledger opened no account')
  const { passwordHash = null, dateOfBirth = null, address = null, postcode = null, unconfirmed = [] } = input
  const emailConfirmedAt = unconfirmed.includes('email') ? null : deps.clock.realNow()
  const phoneConfirmedAt = phone === null || unconfirmed.includes('phone') ? null : deps.clock.realNow()
  try {
    await trx
      .insertInto('bank.customer')
      .values({
        id,
        full_name: fullName,
        email,
        phone,
        password_hash: passwordHash,
        current_account_id: currentAccountId,
        created_at: createdAt,
        date_of_birth: dateOfBirth,
        address,
        postcode,
        email_confirmed_at: emailConfirmedAt,
        phone_confirmed_at: phoneConfirmedAt,
      })
      .execute()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const { constraint } = error as { constraint?: string }
    throw new Refusal('request_invalid', constraint === 'customer_phone_key' ? 'phone' : 'email')
  }
  const initialFields = {
    role: 'customer',
    emailConfirmed: emailConfirmedAt !== null,
    verified: false,
    language: null,
  } as const
  return { id, fullName, email, phone, currentAccountId, ...initialFields }
}

/** Returns the kind of contact that `error` refuses, because another customer has it. Returns null for any other error. */
export function refusedContact(error: unknown): ContactAddress['kind'] | null {
  if (!(error instanceof Refusal) || error.code !== 'request_invalid') return null
  return error.field === 'email' || error.field === 'phone' ? error.field : null
}

/** Returns the customer with this confirmed email or phone number, or null. */
export async function findCustomerByContact(
  deps: Pick<Deps, 'pool'>,
  contact: ContactAddress,
): Promise<Customer | null> {
  const { rows } = await deps.pool.query<CustomerRow>({
    name: `customer-by-${contact.kind}`,
    text: `SELECT ${CUSTOMER_COLUMNS} FROM bank.customer c
            WHERE c.${contact.kind} = $1 AND c.${contact.kind}_confirmed_at IS NOT NULL`,
    values: [contact.value],
  })
  const [row] = rows
  return row ? customerOf(row) : null
}

/**
 * Finds a customer by an email or phone number in any common spelling. Returns null if no customer has it. A phone number
 * without a country code gets the asking customer's country. Throws Refusal `recipient_invalid` if `text` is neither.
 */
export async function findCustomerByEmailOrPhone(
  deps: Pick<Deps, 'pool'>,
  text: string,
  requester: Pick<Customer, 'phone'>,
): Promise<Customer | null> {
  const contact = readContact(text, requester.phone)
  if (!contact) throw new Refusal('recipient_invalid', 'recipient')
  return findCustomerByContact(deps, contact)
}

/** Returns the customers with these ids. Unknown ids are left out. */
export async function findCustomers(deps: Pick<Deps, 'pool'>, ids: readonly string[]): Promise<Map<string, Customer>> {
  if (ids.length === 0) return new Map()
  const { rows } = await deps.pool.query<CustomerRow>({
    text: `SELECT ${CUSTOMER_COLUMNS} FROM bank.customer c WHERE c.id = ANY ($1::uuid[])`,
    values: [ids],
  })
  return new Map(rows.map((row) => [row.id, customerOf(row)]))
}
