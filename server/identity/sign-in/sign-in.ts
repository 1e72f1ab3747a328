import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { SignInRequest, SignInResponse } from '#contract/identity.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { beginSession, type Entry } from '#server/identity/sessions/begin-session.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import { type Customer, readOwn, takenContact } from '#server/identity/customers/customers.ts'
import { meOf } from '#server/identity/customers/me.ts'
import { type Holder, holderOfEmail } from '#server/identity/customers/holders.ts'
import { nameOr } from '#server/identity/customers/name.ts'
import { checkPassword, signInLock, stillTheirs } from '#server/identity/passwords/password-check.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import type { SignInMethod } from '#server/identity/sessions/sessions.ts'
import { greetSoon } from '#server/identity/sign-in/sign-up.ts'
import { issueOneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'
import { hasTwoFactor } from '#server/identity/two-factor/two-factor.ts'
import { openHere, type OpenCustomer } from '#server/identity/sessions/visitors.ts'

/** What a one-time token of the kind `second_factor` holds: how far its customer has got. */
export type FirstFactor = { method: Extract<SignInMethod, 'password' | 'biometric'> }

export type SignedIn = {
  response: SignInResponse
  /** Null where a second factor is wanted first. */
  entry: Entry | null
  /** What the browser is to remember a customer by who was opened in it. */
  visitor: string | null
}

/**
 * Goes on where somebody has shown who they are in one way: signs them in on the browser that asks or, where they have
 * a second factor, answers what it has to be sent with; whoever was signed in there stays so until then. `first` is
 * done in the same SQL transaction, and nothing is where it throws. Throws Refusal `step_ended` where the second factor
 * was switched on in this moment.
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
 * Checks again that no second factor is on: a change under way is waited for, and a later one ends the session that is
 * begun here. Throws Refusal `step_ended`.
 */
async function stillOneFactor(trx: Transaction<Database>, customerId: string): Promise<void> {
  await trx.selectFrom('bank.customer').select('id').where('id', '=', customerId).forShare().execute()
  if (await hasTwoFactor(trx, customerId)) throw new Refusal('step_ended')
}

/**
 * Signs in with email and password. Where the policy says so, an unknown email opens a new customer.
 * Throws Refusal `email_invalid`, and what comparing a password may refuse.
 */
export async function signIn(
  deps: Deps,
  client: Client,
  open: OpenCustomer,
  request: SignInRequest,
): Promise<SignedIn> {
  const { password } = request
  const email = readOwn('email', request.email)
  let holder = await holderOfEmail(deps.db, email)
  if (!holder && deps.policy.unknownEmailOpensCustomer) {
    const newcomer = await openByEmail(deps, client, open, { email, password })
    if (newcomer) return newcomer
    holder = await holderOfEmail(deps.db, email)
  }
  return signInHolder(deps, client, { holder, email, password })
}

/**
 * Signs in the holder of a password, if it is theirs; `first` as for `afterFirstFactor`. Throws what comparing a
 * password may refuse.
 */
export async function signInHolder(
  deps: Deps,
  client: Client,
  { holder, email, password }: SignInRequest & { holder: Holder | null },
  first?: (trx: Transaction<Database>) => Promise<void>,
): Promise<SignedIn> {
  const lock = await signInLock(deps, { holder, email, deviceToken: client.deviceToken })
  const right = await checkPassword(deps, { password, holder, caller: client.caller, lock })
  const confirm = await stillTheirs(right, password)
  return afterFirstFactor(deps, client, { customer: right.customer, method: 'password' }, async (trx) => {
    await confirm(trx)
    await first?.(trx)
  })
}

/** Opens a customer from email and password alone. Null where the email was taken in the meantime. */
async function openByEmail(
  deps: Deps,
  client: Client,
  open: OpenCustomer,
  { email, password }: SignInRequest,
): Promise<SignedIn | null> {
  const passwordHash = await hashPassword(password)
  try {
    const details = { fullName: nameOr(nameIn(email), NAMELESS), email, passwordHash }
    const { customer, visitor } = await openHere(deps, client, open, details)
    await greetSoon(deps, customer.id, client.source)
    const entry = await beginSession(deps, client, { customerId: customer.id, method: 'sign_up' })
    return { response: { status: 'signed_in', me: meOf(deps, customer) }, entry, visitor }
  } catch (error) {
    if (takenContact(error) === 'email') return null
    throw error
  }
}

/** Whose email suggests no name that the bank takes: 'support@alder.example'. */
const NAMELESS = 'New Customer'

/** The name that an email suggests: 'ann.lee@example.com' is Ann Lee's. */
export function nameIn(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@'))
  const words = local.split(/[^\p{L}\p{M}']+/u).filter(Boolean)
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ') || local
}
