import type { RequestKey } from '#server/platform/http/request-key.ts'
import { getCookie, setCookie } from 'hono/cookie'
import type { Context } from 'hono'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, runOn } from '#server/platform/db/run.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { countAddress } from '#server/platform/http/rate-limit.ts'
import { cookieName, cookieOptions } from '#server/identity/access/session.ts'
import {
  CUSTOMER_COLUMNS,
  type Customer,
  customerOf,
  type CustomerRow,
  type NewCustomer,
} from '#server/identity/customers/customers.ts'
import { digestOf, digestOfGiven, newToken } from '#server/platform/secrets/token.ts'

/** The longest that browsers keep a cookie (RFC 6265bis, section 5.5), in seconds. */
const REMEMBERED_SECONDS = 400 * 24 * 60 * 60

/** What names the browser in the database: the digest of its token. Null where it has none. */
function visitorOf(c: Context<ApiEnv>): string | null {
  return digestOfGiven(getCookie(c, cookieName(c.get('deps').config, 'visitor')))
}

/**
 * Makes a customer, once for a request's key: of the details given or, without any, somebody invented; with a story where
 * the policy says so.
 */
export type OpenCustomer = (deps: Deps, details?: NewCustomer, key?: RequestKey) => Promise<Customer>

/** New customers that one address may open without giving their details, so that nobody fills the database by asking. */
export const VISITS = { name: 'visit', points: 60, seconds: 60 }

/** Opens a customer for the browser that asks, which remembers them. Throws Refusal `too_many_requests`. */
export async function openHere(c: Context<ApiEnv>, open: OpenCustomer, details?: NewCustomer): Promise<Customer> {
  const deps = c.get('deps')
  await countAddress(c, VISITS)
  const customer = await open(deps, details, c.get('key'))
  await rememberCustomer(c, customer.id)
  return customer
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
export async function ownCustomer(c: Context<ApiEnv>): Promise<OwnCustomer | null> {
  const deps = c.get('deps')
  const visitor = visitorOf(c)
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

/** Has the browser that asks remember a customer as its own, in the place of whom it remembered; only a digest is kept. */
export async function rememberCustomer(c: Context<ApiEnv>, customerId: string): Promise<void> {
  const deps = c.get('deps')
  if (!deps.policy.visitorsGetSampleCustomer) return
  const before = visitorOf(c)
  const token = newToken()
  await inTransaction(deps.db, async (_trx, run) => {
    if (before) await run('DELETE FROM bank.visitor WHERE token_hash = $1', [before])
    await run('INSERT INTO bank.visitor (token_hash, customer_id, created_at) VALUES ($1, $2, $3)', [
      digestOf(token),
      customerId,
      deps.clock.realNow(),
    ])
  })
  const options = { ...cookieOptions(deps.config), maxAge: REMEMBERED_SECONDS }
  setCookie(c, cookieName(deps.config, 'visitor'), token, options)
}
