import { randomUUIDv7 } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, isUniqueViolation, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { once } from '#server/platform/once.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { type Contact, readContact } from '#server/identity/customers/contact.ts'
import { readName } from '#server/identity/customers/name.ts'
import { digestOf } from '#server/platform/secrets/token.ts'
import { openAccounts } from '#server/ledger/accounts.ts'

type CustomerRole = 'customer' | 'reviewer'

/** A customer, as every slice knows one. */
export type Customer = {
  id: string
  fullName: string
  /** Lower case. */
  email: string
  /** E.164. */
  phone: string | null
  /** The ledger account that the dashboard shows and that payments leave from. */
  currentAccountId: number
  role: CustomerRole
  /** Whether the email is theirs beyond doubt; only then does it name them to others. */
  emailConfirmed: boolean
  /** Whether the bank knows from documents who they are. Once so, always so. */
  verified: boolean
  /** What they read the bank in, as a code; the bank may have had more languages when they chose it. Null until then. */
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
  /** Which of the two do not name the customer yet; none unless told. */
  unconfirmed?: readonly Contact['kind'][]
  /** Business time; now unless told. */
  createdAt?: Date
}

/** What a query selects from bank.customer to make a Customer. */
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

/** The same in plain SQL, from bank.customer or a part of it called `table`. */
export function customerColumns(table: string, prefix = ''): string {
  return CUSTOMER_FIELDS.map((column) => `${table}.${column} AS ${prefix}${column}`).join(', ')
}

/** The same from bank.customer c. */
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

/** `prefix`: as customerColumns was given it. */
export function customerOf(row: CustomerRow, prefix = ''): Customer {
  const read = <Column extends keyof CustomerRow>(column: Column) =>
    (row as Record<string, unknown>)[prefix + column] as CustomerRow[Column]
  return {
    id: read('id'),
    fullName: read('full_name'),
    email: read('email'),
    phone: read('phone'),
    currentAccountId: read('current_account_id'),
    role: read('role'),
    emailConfirmed: read('email_confirmed_at') !== null,
    verified: read('verified_at') !== null,
    language: read('language'),
  }
}

/** The id of a customer's current account. Throws where there is no such customer. */
export async function currentAccountOf(db: Kysely<Database>, customerId: string): Promise<number> {
  const row = await db
    .selectFrom('bank.customer')
    .select('current_account_id')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  return row.current_account_id
}

/**
 * An email or phone number as somebody gives their own, in the spelling the bank keeps.
 * Throws Refusal `email_invalid` or `phone_invalid`, naming the field.
 */
export function readOwn(kind: Contact['kind'], text: string): string {
  const contact = readContact(text)
  if (contact?.kind !== kind) throw new Refusal(`${kind}_invalid`, kind)
  return contact.value
}

/** What a new customer is given in the SQL transaction that makes them: nobody finds them without it. */
type Endow = (customer: Customer, trx: Transaction<Database>) => Promise<void>

const nothing: Endow = async () => undefined

/**
 * Makes a customer with an empty current account in dollars. Throws Refusal `email_invalid` or `phone_invalid` where
 * that is not one, and `request_invalid` naming the one that is another customer's.
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

/** For how long a request that made a customer, sent again, lets its sender in as them, in milliseconds of real time. */
const SENT_AGAIN_MS = 10 * 60_000

/**
 * The same, once for a request's key: `replayed` says that this is the customer it made the first time.
 * Throws Refusal `idempotency_key_reused` where that was a while ago, or where they have closed or have since chosen
 * something else to sign in with: a key is for a response that got lost, and no credential.
 */
export async function createCustomerOnce(
  deps: Pick<Deps, 'db' | 'clock' | 'pool'>,
  input: NewCustomer,
  key: RequestKey,
  endow: Endow = nothing,
): Promise<{ customer: Customer; replayed: boolean }> {
  const { result, replayed } = await once(deps, key, async (trx) => {
    const customer = await createCustomerWithin(deps, trx, input)
    await endow(customer, trx)
    return { id: customer.id, password: markOf(input.passwordHash) }
  })
  if (replayed && !(await isStillNew(deps, result, key))) throw new Refusal('idempotency_key_reused')
  const customer = (await findCustomers(deps, [result.id])).get(result.id)
  if (!customer) throw new Error('A customer that was just made is gone')
  return { customer, replayed }
}

/** Tells one password of a customer from the next. Made of the salted hash, so it reveals nothing about the password. */
function markOf(passwordHash: string | null | undefined): string | null {
  return passwordHash ? digestOf(passwordHash) : null
}

/** Whether a customer was made by the request with this key, not long ago, and has not changed since. */
async function isStillNew(
  { db, clock }: Pick<Deps, 'clock' | 'db'>,
  { id, password }: { id: string; password?: string | null },
  { operationId }: RequestKey,
): Promise<boolean> {
  const since = new Date(clock.realNow().getTime() - SENT_AGAIN_MS)
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
      exists(selectFrom('bank.request').select('key').where('key', '=', operationId).where('made_at', '>', since)),
    )
    .executeTakeFirst()
  return row !== undefined && markOf(row.password_hash) === password
}

/** The same inside the caller's own SQL transaction. */
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
  const known = {
    role: 'customer',
    emailConfirmed: emailConfirmedAt !== null,
    verified: false,
    language: null,
  } as const
  return { id, fullName, email, phone, currentAccountId, ...known }
}

/** Which contact was refused because it is another customer's, or null where the error is about something else. */
export function takenContact(error: unknown): Contact['kind'] | null {
  if (!(error instanceof Refusal) || error.code !== 'request_invalid') return null
  return error.field === 'email' || error.field === 'phone' ? error.field : null
}

/** The customer whose confirmed email or phone number this is, or null. */
export async function findCustomerByContact(deps: Pick<Deps, 'pool'>, contact: Contact): Promise<Customer | null> {
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
 * The customer whom `text` names by email or phone in any common spelling, or null where nobody has it. A phone
 * number without its country is read as one of the asking customer's country.
 * Throws Refusal `recipient_invalid` where `text` is neither.
 */
export async function findCustomerByEmailOrPhone(
  deps: Pick<Deps, 'pool'>,
  text: string,
  asker: Pick<Customer, 'phone'>,
): Promise<Customer | null> {
  const contact = readContact(text, asker.phone)
  if (!contact) throw new Refusal('recipient_invalid', 'recipient')
  return findCustomerByContact(deps, contact)
}

/** Customers by id; unknown ids are left out. */
export async function findCustomers(deps: Pick<Deps, 'pool'>, ids: readonly string[]): Promise<Map<string, Customer>> {
  if (ids.length === 0) return new Map()
  const { rows } = await deps.pool.query<CustomerRow>({
    text: `SELECT ${CUSTOMER_COLUMNS} FROM bank.customer c WHERE c.id = ANY ($1::uuid[])`,
    values: [ids],
  })
  return new Map(rows.map((row) => [row.id, customerOf(row)]))
}
