import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { Refusal } from '#contract/errors.ts'
import type { SignUpRequest } from '#contract/identity.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, isUniqueViolation } from '#server/platform/db/run.ts'
import { sessionLives } from '#server/identity/sessions/sessions.ts'
import { beginSession, type Entry } from '#server/identity/sessions/begin-session.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { digestOf } from '#server/platform/secrets/token.ts'
import type { Contact } from '#server/identity/customers/contact.ts'
import { type Customer, type NewCustomer, readOwn, takenContact } from '#server/identity/customers/customers.ts'
import { mayMail } from '#server/mail/mail-limit.ts'
import { holderById, holderOfEmail } from '#server/identity/customers/holders.ts'
import { readName } from '#server/identity/customers/name.ts'
import { checkNewPassword } from '#server/identity/passwords/password-rule.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { issueOneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'
import {
  admitNewcomer,
  type Applicant,
  type OpenCustomer,
  rememberCustomer,
} from '#server/identity/sessions/visitors.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { ownedByAsker, sealedToken, sendMail } from '#server/mail/service.ts'

/**
 * What a one-time token of the kind `email` holds when it is about the address somebody signed up with, and who that was.
 * The token belongs to no customer: it shows who reads the mail, and works for anybody who signed up with that address
 * (docs/decisions/0060).
 */
export type SignUpToken = { purpose: 'sign_up'; email: string; customer?: string }

/** Who has signed up, by whose code, and who was signed in on their browser until then. */
export type Newcomer = { customerId: string; referralCode: string | null; visitorId: string | null }

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    /** What it keeps of somebody who has signed up. Told again where they send the same request again. */
    signedUp?: (deps: Deps, newcomer: Newcomer) => Promise<void>
  }
}

export type SignedUp = { customer: Customer; entry: Entry; visitor: string | null }

/**
 * Opens a customer and signs them in. `visitorId`: who is signed in on their browser until then. Nothing that is answered, or how soon, tells whether the email or the phone is
 * another customer's: the newcomer is a customer either way, whom those do not name until they are confirmed
 * (docs/decisions/0009).
 * Throws Refusal `email_invalid`, `phone_invalid`, what the rule for passwords and admitNewcomer refuse, and `unavailable`.
 */
export async function signUp(
  deps: Deps,
  client: Client,
  open: OpenCustomer,
  { visitorId, ...request }: SignUpRequest & { visitorId: string | null },
): Promise<SignedUp> {
  const { password } = request
  const fullName = readName(request.fullName)
  const email = readOwn('email', request.email)
  const phone = readOwn('phone', request.phone)
  await checkNewPassword(deps, password, { fullName, email })
  await admitNewcomer(deps, client)
  const passwordHash = await hashPassword(password)
  const { key, token } = onceFor(deps, client.key)
  const customer = await openNewcomer(
    deps,
    open,
    { key, language: client.language },
    { fullName, email, phone, passwordHash },
  )
  const newcomer = { customerId: customer.id, referralCode: request.referralCode ?? null, visitorId }
  for (const slice of deps.slices) await slice.signedUp?.(deps, newcomer)
  const entry = await enter(deps, client, customer.id, token)
  return { customer, entry, visitor: await rememberCustomer(deps, client, customer.id) }
}

/**
 * The key of a sign-up, and the token of the session that it begins: the same for the same request, so that repeating it
 * yields the same cookie. The request holds a password, so its digest is kept under the bank's secret.
 * Throws Refusal `idempotency_key_missing`.
 */
function onceFor({ config }: Pick<Deps, 'config'>, key: RequestKey | undefined): { key: RequestKey; token: string } {
  if (!key) throw new Refusal('idempotency_key_missing')
  const keyed = (about: string) =>
    createHmac('sha256', config.secret)
      .update(`sign-up ${about}\n${key.operationId}\n${key.fingerprint}`)
      .digest('base64url')
  return { key: { operationId: key.operationId, fingerprint: keyed('request') }, token: keyed('session') }
}

/**
 * Signs a newcomer in, once: a repeated sign-up is answered with the session it began while that lives, and refused
 * after that, because by then they may have a second factor. Throws Refusal `sign_in_required`.
 */
async function enter(deps: Deps, client: Client, customerId: string, token: string): Promise<Entry> {
  const entry: Entry = { customerId, method: 'sign_up', token, deviceToken: null }
  const signedUp = await deps.db
    .selectFrom('bank.security_event')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('kind', '=', 'signed_up')
    .limit(sql.lit(1))
    .executeTakeFirst()
  if (signedUp) {
    // Asked second: the event and the session are committed together, so one that is not there now has ended.
    if (await sessionLives(deps, digestOf(token))) return entry
    throw new Refusal('sign_in_required')
  }
  try {
    const begun = await beginSession(deps, client, entry)
    await greetSoon(deps, customerId, client.source)
    return begun
  } catch (error) {
    // The same request, at the same moment, has begun it.
    if (isUniqueViolation(error)) return entry
    throw error
  }
}

/**
 * Opens a customer. Where the policy allows it, an email and phone that no other customer has count as confirmed from
 * the start.
 */
async function openNewcomer(
  deps: Deps,
  open: OpenCustomer,
  applicant: Applicant,
  details: NewCustomer,
): Promise<Customer> {
  const unconfirmed: Contact['kind'][] = deps.policy.contactsConfirmThemselves ? [] : ['email', 'phone']
  for (;;) {
    try {
      return await open(deps, applicant, { ...details, unconfirmed })
    } catch (error) {
      const taken = takenContact(error)
      if (!taken || unconfirmed.includes(taken)) throw error
      unconfirmed.push(taken)
    }
  }
}

const greeting = z.object({ customerId: z.uuid(), asker: z.string().default('') })

/**
 * Writes to a newcomer's address after the response is out, because the mail depends on who owns the address.
 * `asker` is what limits count the network that asked as.
 */
export async function greetSoon(deps: Pick<Deps, 'db'>, customerId: string, asker: string): Promise<void> {
  await enqueue(deps.db, greetJob, { customerId, asker })
}

async function greet(deps: Deps, { customerId, asker }: z.infer<typeof greeting>): Promise<void> {
  const newcomer = (await holderById(deps.db, customerId))?.customer
  if (!newcomer || !(await mayMail(deps, { about: 'sign_up', to: newcomer.email, asker }))) return
  const to = newcomer.email
  const owner = (await holderOfEmail(deps.db, to))?.customer
  if (!owner) await mailLink(deps, newcomer)
  else if (owner.id === newcomer.id) await sendMail(deps, deps.db, { to, customerId, kind: 'welcome', params: {} })
  else {
    const params = { fullName: owner.fullName }
    await sendMail(deps, deps.db, { to, customerId: owner.id, kind: 'already_customer', params })
  }
}

async function mailLink(deps: Pick<Deps, 'db' | 'clock' | 'config' | 'policy'>, newcomer: Customer): Promise<void> {
  const { id, email } = newcomer
  await inTransaction(deps.db, async (trx) => {
    const content: SignUpToken = { purpose: 'sign_up', email, customer: id }
    const token = await issueOneTimeToken(deps, trx, 'email', { customerId: null, content })
    await sendMail(deps, trx, {
      to: email,
      ...ownedByAsker(deps, newcomer),
      kind: 'confirm_email',
      params: {},
      token: sealedToken(deps.config, token),
    })
  })
}

export const greetJob = defineJob({ name: 'identity.greet', payload: greeting, work: greet })
