import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { SignInRequest, SignInResponse } from '#contract/identity.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { beginSession, type SessionCookies } from '#server/identity/sessions/begin-session.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import { type Customer, readOwn, refusedContact } from '#server/identity/customers/customers.ts'
import { meOf } from '#server/identity/customers/me.ts'
import { type PasswordHolder, holderOfEmail } from '#server/identity/customers/password-hash.ts'
import { nameOr } from '#server/identity/customers/name.ts'
import { checkPassword, signInLock, unchangedPasswordCheck } from '#server/identity/passwords/password-locks.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import type { SignInMethod } from '#server/identity/sessions/sessions.ts'
import { enqueueGreeting } from '#server/identity/sign-in/sign-up.ts'
import { issueOneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'
import { hasTwoFactor } from '#server/identity/two-factor/two-factor.ts'
import { openVisitor, type OpenCustomer } from '#server/identity/sessions/visitors.ts'

/** The content of a one-time token of the kind `second_factor`: the first factor that the customer has given. */
export type FirstFactor = { method: Extract<SignInMethod, 'password' | 'biometric'> }

export type SignedIn = {
  response: SignInResponse
  /** The data for the cookies. Null if the customer must still give a second factor. */
  entry: SessionCookies | null
  /** The token of the visitor cookie, for a customer who was opened in the browser. Null if the cookie stays as it is. */
  visitor: string | null
}

/**
 * Continues a sign-in after the first factor. It begins a session or, if the customer has a second factor, returns the one-time
 * token for it. A previous session in the browser stays open until the sign-in completes. `first` runs in the same SQL
 * transaction; if it throws, nothing changes. Throws Refusal `step_ended` if the customer switches a second factor on at this
 * moment.
 */
export async function afterFirstFactor(
  deps: Deps,
  client: Client,
  { customer, method }: { customer: Customer; method: FirstFactor['method'] },
  first?: (trx: Transaction<Database>) => Promise<void>,
): Promise<SignedIn> {
  if (await hasTwoFactor(deps.db, customer.id)) {
    const content: FirstFactor = { method }
    const oneTimeToken = await inTransaction(deps.db, async (trx) => {
      await first?.(trx)
      return issueOneTimeToken(deps, trx, 'second_factor', { customerId: customer.id, content })
    })
    return { response: { status: 'second_factor', oneTimeToken }, entry: null, visitor: null }
  }
  const entry = await beginSession(deps, client, { customerId: customer.id, method }, async (trx) => {
    await first?.(trx)
    await stillOneFactor(trx, customer.id)
  })
  return { response: { status: 'signed_in', me: meOf(deps, customer) }, entry, visitor: null }
}

/**
 * Checks again that the customer has no second factor. Waits for a change in progress; a later change ends the new session.
 * Throws Refusal `step_ended`.
 */
async function stillOneFactor(trx: Transaction<Database>, customerId: string): Promise<void> {
  await trx.selectFrom('bank.customer').select('id').where('id', '=', customerId).forShare().execute()
  if (await hasTwoFactor(trx, customerId)) throw new Refusal('step_ended')
}

/**
 * Signs in with email and password. If the policy allows it, an unknown email opens a new customer. Throws Refusal
 * `email_invalid` and the refusals of the password check. For an unknown email, also throws the refusals of `openVisitor`.
 */
export async function signIn(
  deps: Deps,
  client: Client,
  openCustomer: OpenCustomer,
  request: SignInRequest,
): Promise<SignedIn> {
  const { password } = request
  const email = readOwn('email', request.email)
  let holder = await holderOfEmail(deps.db, email)
  if (!holder && deps.policy.unknownEmailOpensCustomer) {
    const newcomer = await openByEmail(deps, client, openCustomer, { email, password })
    if (newcomer) return newcomer
    holder = await holderOfEmail(deps.db, email)
  }
  return signInHolder(deps, client, { holder, email, password })
}

/**
 * Signs in a customer with their password. `first` is the same as for `afterFirstFactor`. Throws the refusals of the password
 * check.
 */
export async function signInHolder(
  deps: Deps,
  client: Client,
  { holder, email, password }: SignInRequest & { holder: PasswordHolder | null },
  first?: (trx: Transaction<Database>) => Promise<void>,
): Promise<SignedIn> {
  const lock = await signInLock(deps, { holder, email, deviceToken: client.deviceToken })
  const verifiedHolder = await checkPassword(deps, { password, holder, caller: client.caller, lock })
  const confirm = await unchangedPasswordCheck(verifiedHolder, password)
  return afterFirstFactor(deps, client, { customer: verifiedHolder.customer, method: 'password' }, async (trx) => {
    await confirm(trx)
    await first?.(trx)
  })
}

/** Opens a customer with email and password only. Returns null if another customer took the email meanwhile. */
async function openByEmail(
  deps: Deps,
  client: Client,
  openCustomer: OpenCustomer,
  { email, password }: SignInRequest,
): Promise<SignedIn | null> {
  const passwordHash = await hashPassword(password)
  try {
    const details = { fullName: nameOr(nameIn(email), NAMELESS), email, passwordHash }
    const { customer, visitor } = await openVisitor(deps, client, openCustomer, details)
    await enqueueGreeting(deps, customer.id, client.source)
    const entry = await beginSession(deps, client, { customerId: customer.id, method: 'sign_up' })
    return { response: { status: 'signed_in', me: meOf(deps, customer) }, entry, visitor }
  } catch (error) {
    if (refusedContact(error) === 'email') return null
    throw error
  }
}

/** The name for an email that suggests no valid name, such as 'support@alder.example'. */
const NAMELESS = 'New Customer'

/** Returns the name that an email suggests: 'ann.lee@example.com' gives Ann Lee. */
export function nameIn(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@'))
  const words = local.split(/[^\p{L}\p{M}']+/u).filter(Boolean)
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ') || local
}
