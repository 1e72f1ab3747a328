import type { RequestKey } from '#server/platform/http/request-key.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, runOn } from '#server/platform/db/run.ts'
import { Refusal } from '#contract/errors.ts'
import { countSource } from '#server/platform/http/rate-limit.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import {
  CUSTOMER_COLUMNS,
  type Customer,
  customerOf,
  type CustomerRow,
  type NewCustomer,
} from '#server/identity/customers/customers.ts'
import { digestOf, newToken } from '#server/platform/secrets/token.ts'

/**
 * Makes a customer, once for a request's key: of the details given or, without any, somebody invented; with a story where
 * the policy says so.
 */
export type OpenCustomer = (deps: Deps, details?: NewCustomer, key?: RequestKey) => Promise<Customer>

/** New customers that one address may open without giving their details, so that nobody fills the database by asking. */
export const VISITS = { name: 'visit', points: 60, seconds: 60 }

export type Opened = {
  customer: Customer
  /** What the browser remembers them by; null in a bank that does not remember its visitors. */
  visitor: string | null
}

type VisitorDeps = Pick<Deps, 'pool' | 'db' | 'clock' | 'policy'>

/**
 * Lets somebody new in, where the bank still has room for sample customers and their address has not opened too many.
 * This computer's own address is not counted, unless the bank has a public one: behind a proxy that is not trusted,
 * everybody comes from there. Throws Refusal `no_new_visitors`.
 */
export async function admitVisitor(
  deps: Pick<Deps, 'pool' | 'limiters' | 'policy' | 'config'>,
  { caller, source, site }: Pick<Client, 'caller' | 'source' | 'site'>,
): Promise<void> {
  const { visitors } = deps.policy
  if (!visitors) return
  const { rows } = await deps.pool.query<{ customers: number }>('SELECT count(*)::int AS customers FROM bank.customer')
  if ((rows[0]?.customers ?? 0) >= visitors.inAll) throw new Refusal('no_new_visitors')
  const { origin } = deps.config
  const isPublic = origin !== null && new URL(origin).hostname !== 'localhost'
  if (!isPublic && caller.place === 'this_computer') return
  try {
    const limit = { name: 'new-visitor', points: visitors.perAddressAndHour, seconds: 60 * 60 }
    await countSource(deps, { source, site }, limit)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'too_many_requests') throw error
    const { retryAfterSeconds } = error
    throw new Refusal('no_new_visitors', undefined, {
      cause: error,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    })
  }
}

/**
 * Opens a customer for the browser that asks, which is to remember them. Throws Refusal `too_many_requests` and
 * `no_new_visitors`.
 */
export async function openHere(
  deps: Deps,
  client: Pick<Client, 'caller' | 'source' | 'site' | 'visitor' | 'key'>,
  open: OpenCustomer,
  details?: NewCustomer,
): Promise<Opened> {
  await countSource(deps, client, VISITS)
  await admitVisitor(deps, client)
  const customer = await open(deps, details, client.key)
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
  const { rows } = await runOn(deps.pool)(
    `SELECT ${CUSTOMER_COLUMNS}, c.biometric_login,
            c.password_hash IS NOT NULL
              OR EXISTS (SELECT FROM bank.passkey WHERE customer_id = c.id)
              OR EXISTS (SELECT FROM bank.two_factor WHERE customer_id = c.id) AS has_credential
       FROM (SELECT customer_id FROM bank.visitor WHERE token_hash = $1 LIMIT 1) v
      CROSS JOIN LATERAL (SELECT * FROM bank.customer WHERE id = v.customer_id LIMIT 1) c
      WHERE c.closed_at IS NULL`,
    [visitor],
  )
  const row = rows[0] as unknown as (CustomerRow & { biometric_login: boolean; has_credential: boolean }) | undefined
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
  await inTransaction(deps.db, async (_trx, run) => {
    if (before) await run('DELETE FROM bank.visitor WHERE token_hash = $1', [before])
    await run('INSERT INTO bank.visitor (token_hash, customer_id, created_at) VALUES ($1, $2, $3)', [
      digestOf(token),
      customerId,
      deps.clock.realNow(),
    ])
  })
  return token
}
