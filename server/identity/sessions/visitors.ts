import { sql } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import { isThisComputer } from '#server/platform/http/caller.ts'
import { count, countSource, limiterFor } from '#server/platform/http/rate-limit.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import { CUSTOMER_FIELDS, type Customer, customerOf, type NewCustomer } from '#server/identity/customers/customers.ts'
import { digestOf, newToken } from '#server/platform/secrets/token.ts'

/** For whom a customer is opened: once for a request's key, with a story told in their language. */
export type Applicant = Pick<Client, 'key' | 'language'>

/** Makes a customer: of the details given or, without any, somebody invented; with a story where the policy says so. */
export type OpenCustomer = (deps: Deps, applicant: Applicant, details?: NewCustomer) => Promise<Customer>

/** New customers that one address may open without giving their details, so that nobody fills the database by asking. */
export const VISITS = { name: 'visit', points: 60, seconds: 60 }

const HOUR = 60 * 60

export type Opened = {
  customer: Customer
  /** What the browser remembers them by; null in a bank that does not remember its visitors. */
  visitor: string | null
}

type VisitorDeps = Pick<Deps, 'db' | 'clock' | 'policy'>

type Admitting = Pick<Deps, 'db' | 'limiters' | 'policy' | 'config'>

/**
 * Lets somebody new in, where not too many have come in the last hour. Their details have no say in it, so a refusal
 * tells nothing of who is a customer. Throws Refusal `no_new_visitors` in a sample bank and `no_new_customers` in any other.
 */
export async function admitNewcomer(
  deps: Admitting,
  client: Pick<Client, 'caller' | 'source' | 'site'>,
): Promise<void> {
  const { newCustomersPerHour: points } = deps.policy
  if (points !== null) {
    const limiter = limiterFor(deps, { name: 'new-customer', points, seconds: HOUR })
    await refusedAs('no_new_customers', () => count(limiter, 'all'))
  }
  await admitVisitor(deps, client)
}

/**
 * Where the bank still has room for sample customers and their address has not opened too many.
 * This computer's own address is not counted. Throws Refusal `no_new_visitors`.
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
  await refusedAs('no_new_visitors', () => countSource(deps, { source, site }, limit))
}

/** Counts, and says in kinder words where it is one too many: whoever reads them has tried once. */
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
 * Opens a customer for the browser that asks, which is to remember them. Throws Refusal `too_many_requests` and what
 * admitNewcomer throws.
 */
export async function openHere(
  deps: Deps,
  client: Pick<Client, 'caller' | 'source' | 'site' | 'visitor' | keyof Applicant>,
  open: OpenCustomer,
  details?: NewCustomer,
): Promise<Opened> {
  await countSource(deps, client, VISITS)
  await admitNewcomer(deps, client)
  const customer = await open(deps, client, details)
  return { customer, visitor: await rememberCustomer(deps, client, customer.id) }
}

/** The customer that was opened in this browser last, and how they may be let in again. */
export type OwnCustomer = {
  customer: Customer
  /** Whether they have chosen something to sign in with, so that coming back is not enough. */
  hasCredential: boolean
  biometricLogin: boolean
}

/**
 * The customer that was opened in the browser that asks, however long ago and whoever is signed in there now; null
 * where there is none, or none any more, and in a bank that does not remember its visitors.
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
 * Has the browser that asks remember a customer as its own, in the place of whom it remembered. Answers the token to
 * remember them by, of which only a digest is kept; null in a bank that does not remember its visitors.
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
      .values({ token_hash: digestOf(token), customer_id: customerId, created_at: deps.clock.realNow() })
      .execute()
  })
  return token
}
