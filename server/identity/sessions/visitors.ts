import { sql } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { isThisComputer } from '#server/platform/http/caller.ts'
import { countRequest, countNetwork, limiterFor } from '#server/platform/http/rate-limit.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import { CUSTOMER_FIELDS, type Customer, customerOf, type NewCustomer } from '#server/identity/customers/customers.ts'
import { tokenDigestOf, newToken } from '#server/platform/secrets/token.ts'

/** The request for which a customer is opened: its key, and the language of the sample history. */
export type Applicant = Pick<Client, 'key' | 'language'>

/**
 * Creates a customer from the given details, or an invented customer if there are no details. The policy decides whether the
 * customer gets a sample history.
 */
export type OpenCustomer = (deps: Deps, applicant: Applicant, details?: NewCustomer) => Promise<Customer>

/**
 * The limit per address and minute of requests that may open a customer without the sign-up form. It keeps requests from
 * filling the database.
 */
export const VISIT_LIMIT = { name: 'visit', points: 60, seconds: 60 }

const HOUR = 60 * 60

export type OpenedCustomer = {
  customer: Customer
  /** The token that identifies the customer to the browser. Null in a bank without sample customers for visitors. */
  visitor: string | null
}

type VisitorDeps = Pick<Deps, 'db' | 'clock' | 'policy'>

type Admitting = Pick<Deps, 'db' | 'limiters' | 'policy' | 'config'>

/**
 * Admits a new customer if not too many have come in the last hour. The customer's details play no part, so a refusal does not
 * reveal which people are customers. Throws Refusal `no_new_visitors` in a sample bank, and `no_new_customers` in any other.
 */
export async function admitNewcomer(
  deps: Admitting,
  client: Pick<Client, 'caller' | 'source' | 'site'>,
): Promise<void> {
  const { newCustomersPerHour: points } = deps.policy
  if (points !== null) {
    const limiter = limiterFor(deps, { name: 'new-customer', points, seconds: HOUR })
    await refusedAs('no_new_customers', () => countRequest(limiter, 'all'))
  }
  await admitVisitor(deps, client)
}

/**
 * Admits a visitor if the bank has room for another sample customer and their address has not opened too many. Requests from
 * this computer are not counted. Throws Refusal `no_new_visitors`.
 */
async function admitVisitor(
  deps: Admitting,
  { caller, source, site }: Pick<Client, 'caller' | 'source' | 'site'>,
): Promise<void> {
  const { visitors } = deps.policy
  if (!visitors) return
  const { customers } = await deps.db
    .selectFrom('bank.customer')
    .select(({ fn }) => fn.countAll<number>().as('customers'))
    .executeTakeFirstOrThrow()
  if (customers >= visitors.inAll) throw new Refusal('no_new_visitors')
  if (isThisComputer(deps, caller.networkZone)) return
  const limit = { name: 'new-visitor', points: visitors.perAddressAndHour, seconds: HOUR }
  await refusedAs('no_new_visitors', () => countNetwork(deps, { source, site }, limit))
}

/**
 * Counts a request, and replaces `too_many_requests` by the error `code`. A visitor who has made only one attempt would not
 * understand `too_many_requests`.
 */
async function refusedAs(code: ErrorCode, counting: () => Promise<unknown>): Promise<void> {
  try {
    await counting()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'too_many_requests') throw error
    const { retryAfterSeconds } = error
    throw new Refusal(code, undefined, {
      cause: error,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    })
  }
}

/**
 * Opens a customer for the calling browser and stores the customer as the browser's own. Throws Refusal `too_many_requests` and
 * the refusals of `admitNewcomer`.
 */
export async function openVisitor(
  deps: Deps,
  client: Pick<Client, 'caller' | 'source' | 'site' | 'visitor' | keyof Applicant>,
  openCustomer: OpenCustomer,
  details?: NewCustomer,
): Promise<OpenedCustomer> {
  await countNetwork(deps, client, VISIT_LIMIT)
  await admitNewcomer(deps, client)
  const customer = await openCustomer(deps, client, details)
  return { customer, visitor: await rememberCustomer(deps, client, customer.id) }
}

/** The customer that was last opened in this browser, and whether they can sign in again without credentials. */
export type OwnCustomer = {
  customer: Customer
  /** Whether the customer has set up a credential. If so, the visitor cookie alone does not sign them in. */
  hasCredential: boolean
  biometricLogin: boolean
}

/**
 * Returns the customer that was last opened in the calling browser, independently of the signed-in customer. Returns null if
 * the browser has no such customer, if that customer has closed their account, or in a bank without sample customers for
 * visitors.
 */
export async function ownCustomer(
  deps: VisitorDeps,
  { visitor }: Pick<Client, 'visitor'>,
): Promise<OwnCustomer | null> {
  if (!visitor || !deps.policy.visitorsGetSampleCustomer) return null
  const row = await deps.db
    .selectFrom(({ selectFrom }) =>
      selectFrom('bank.visitor').select('customer_id').where('token_hash', '=', visitor).limit(sql.lit(1)).as('v'),
    )
    .crossJoinLateral(({ selectFrom }) =>
      selectFrom('bank.customer').selectAll().whereRef('id', '=', 'v.customer_id').limit(sql.lit(1)).as('c'),
    )
    .select(CUSTOMER_FIELDS)
    .select('biometric_login')
    .select(({ exists, or, eb, selectFrom }) =>
      or([
        eb('password_hash', 'is not', null),
        exists(selectFrom('bank.passkey as p').select('p.id').whereRef('p.customer_id', '=', 'c.id')),
        exists(selectFrom('bank.two_factor as t').select('t.customer_id').whereRef('t.customer_id', '=', 'c.id')),
      ])
        .$castTo<boolean>()
        .as('has_credential'),
    )
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return row
    ? { customer: customerOf(row), hasCredential: row.has_credential, biometricLogin: row.biometric_login }
    : null
}

/**
 * Stores a customer as the calling browser's own, in place of the previous one. Returns the token for the cookie; only its
 * digest is stored. Returns null in a bank without sample customers for visitors.
 */
export async function rememberCustomer(
  deps: VisitorDeps,
  { visitor: before }: Pick<Client, 'visitor'>,
  customerId: string,
): Promise<string | null> {
  if (!deps.policy.visitorsGetSampleCustomer) return null
  const token = newToken()
  await inTransaction(deps.db, async (trx) => {
    if (before) await trx.deleteFrom('bank.visitor').where('token_hash', '=', before).execute()
    await trx
      .insertInto('bank.visitor')
      .values({ token_hash: tokenDigestOf(token), customer_id: customerId, created_at: deps.clock.realNow() })
      .execute()
  })
  return token
}
