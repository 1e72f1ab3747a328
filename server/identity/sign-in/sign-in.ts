import type { Context } from 'hono'
import { Refusal } from '#contract/errors.ts'
import type { SignInRequest, SignInResponse } from '#contract/identity.ts'
import { inTransaction, type Run, runOn } from '#server/platform/db/run.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { askerIn } from '#server/platform/http/rate-limit.ts'
import { beginSession } from '#server/identity/access/session.ts'
import { type Customer, readOwn, takenContact } from '#server/identity/customers/customers.ts'
import { meOf } from '#server/identity/customers/me.ts'
import { nameOr } from '#server/identity/customers/name.ts'
import { checkPassword, type Holder, holderOfEmail, stillTheirs } from '#server/identity/passwords/password-check.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import type { SignInMethod } from '#server/identity/sessions/sessions.ts'
import { greetSoon } from '#server/identity/sign-in/sign-up.ts'
import { issueOneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'
import { hasTwoFactor } from '#server/identity/two-factor/two-factor.ts'
import { openHere, type OpenCustomer } from '#server/identity/sessions/visitors.ts'

/** What a one-time token of the kind `second_factor` holds: how far its customer has got. */
export type FirstFactor = { method: Extract<SignInMethod, 'password' | 'biometric'> }

/**
 * Goes on where somebody has shown who they are in one way: signs them in on the browser that asks or, where they have
 * a second factor, answers what it has to be sent with; whoever was signed in there stays so until then. `first` is
 * done in the same SQL transaction, and nothing is where it throws. Throws Refusal `step_ended` where the second factor
 * was switched on in this moment.
 */
export async function afterFirstFactor(
  c: Context<ApiEnv>,
  customer: Customer,
  method: FirstFactor['method'],
  first?: (run: Run) => Promise<void>,
): Promise<SignInResponse> {
  const deps = c.get('deps')
  if (await hasTwoFactor(runOn(deps.pool), customer.id)) {
    const content: FirstFactor = { method }
    const oneTimeToken = await inTransaction(deps.db, async (_trx, run) => {
      await first?.(run)
      return issueOneTimeToken(deps, run, 'second_factor', { customerId: customer.id, content })
    })
    return { status: 'second_factor', oneTimeToken }
  }
  await beginSession(c, customer.id, method, async (run) => {
    await first?.(run)
    await stillOneFactor(run, customer.id)
  })
  return { status: 'signed_in', me: meOf(deps, customer) }
}

/**
 * Nobody has come to ask for a second factor since we looked: one that is being switched on is waited for, and one that
 * comes later ends the session that was begun. Throws Refusal `step_ended`.
 */
async function stillOneFactor(run: Run, customerId: string): Promise<void> {
  await run('SELECT 1 AS one FROM bank.customer WHERE id = $1 FOR SHARE', [customerId])
  if (await hasTwoFactor(run, customerId)) throw new Refusal('step_ended')
}

/**
 * Signs in with email and password. In a bank whose policy says so, an email that is nobody's opens a new customer.
 * Throws Refusal `email_invalid`, and what comparing a password may refuse.
 */
export async function signIn(c: Context<ApiEnv>, open: OpenCustomer, request: SignInRequest): Promise<SignInResponse> {
  const deps = c.get('deps')
  const { password } = request
  const email = readOwn('email', request.email)
  let holder = await holderOfEmail(runOn(deps.pool), email)
  if (!holder && deps.policy.unknownEmailOpensCustomer) {
    const newcomer = await openByEmail(c, open, { email, password })
    if (newcomer) return { status: 'signed_in', me: meOf(deps, newcomer) }
    holder = await holderOfEmail(runOn(deps.pool), email)
  }
  return signInHolder(c, holder, { email, password })
}

/**
 * Signs in the holder of a password, if it is theirs; `first` as for `afterFirstFactor`. Throws what comparing a
 * password may refuse.
 */
export async function signInHolder(
  c: Context<ApiEnv>,
  holder: Holder | null,
  { email, password }: SignInRequest,
  first?: (run: Run) => Promise<void>,
): Promise<SignInResponse> {
  const right = await checkPassword(c.get('deps'), { email, password, holder, caller: callerOf(c) })
  const confirm = await stillTheirs(right, password)
  return afterFirstFactor(c, right.customer, 'password', async (run) => {
    await confirm(run)
    await first?.(run)
  })
}

/** Opens a customer of whom only email and password are known. Null where somebody else was quicker. */
async function openByEmail(
  c: Context<ApiEnv>,
  open: OpenCustomer,
  { email, password }: SignInRequest,
): Promise<Customer | null> {
  const deps = c.get('deps')
  const passwordHash = await hashPassword(password)
  try {
    const fullName = nameOr(nameIn(email), NAMELESS)
    const newcomer = await openHere(c, open, { fullName, email, passwordHash })
    await greetSoon(deps, newcomer.id, askerIn(c))
    await beginSession(c, newcomer.id, 'sign_up')
    return newcomer
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
