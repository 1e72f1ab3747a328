import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { Refusal } from '#contract/errors.ts'
import type { SignUpRequest } from '#contract/identity.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, isUniqueViolation } from '#server/platform/db/run.ts'
import { isSessionLive } from '#server/identity/sessions/sessions.ts'
import { beginSession, type SessionCookies } from '#server/identity/sessions/begin-session.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { tokenDigestOf } from '#server/platform/secrets/token.ts'
import type { ContactAddress } from '#server/identity/customers/contact.ts'
import { type Customer, type NewCustomer, readOwn, refusedContact } from '#server/identity/customers/customers.ts'
import { canMail } from '#server/mail/mail-limit.ts'
import { holderById, holderOfEmail } from '#server/identity/customers/password-hash.ts'
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
import { ownerForRequester, sealedToken, sendMail } from '#server/mail/service.ts'

/**
 * The content of a one-time token of the kind `email` for the address of a sign-up. The token belongs to no customer. It proves
 * who reads the mail, and works for any customer who signed up with that address (docs/decisions/0060). `customer` is the one
 * who asked for the mail.
 */
export type SignUpToken = { purpose: 'sign_up'; email: string; customer?: string }

/**
 * A customer who has signed up, and the referral code they used. `visitorId` is the customer who was signed in on their browser
 * before. It is null without a referral code.
 */
export type Newcomer = { customerId: string; referralCode: string | null; visitorId: string | null }

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    /** Stores the slice's data of a new customer. It is called again if the sign-up request is repeated. */
    signedUp?: (deps: Deps, newcomer: Newcomer) => Promise<void>
  }
}

export type SignedUp = { customer: Customer; entry: SessionCookies; visitor: string | null }

/**
 * Opens a customer and signs them in. `visitorId` is the same as in `Newcomer`. Neither the response nor its time reveals
 * whether the email or phone belongs to another customer: the newcomer becomes a customer either way. Other people can find
 * them by email or phone only after confirmation (docs/decisions/0009).
 *
 * Throws Refusal `email_invalid`, `phone_invalid`, `idempotency_key_missing`, `idempotency_key_reused`, `unavailable`, and the
 * refusals of `readName`, the password rule and `admitNewcomer`. Throws `sign_in_required` for a repeated request whose session
 * has ended.
 */
export async function signUp(
  deps: Deps,
  client: Client,
  openCustomer: OpenCustomer,
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
    openCustomer,
    { key, language: client.language },
    { fullName, email, phone, passwordHash },
  )
  const newcomer = { customerId: customer.id, referralCode: request.referralCode ?? null, visitorId }
  for (const slice of deps.slices) await slice.signedUp?.(deps, newcomer)
  const entry = await enter(deps, client, customer.id, token)
  return { customer, entry, visitor: await rememberCustomer(deps, client, customer.id) }
}

/**
 * Derives the key of a sign-up and the token of its session. A repeated request gets the same key and token, and therefore the
 * same cookie. The request contains a password, so its digest is keyed with the bank's secret. Throws Refusal
 * `idempotency_key_missing`.
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
 * Signs a newcomer in once. A repeated sign-up gets the same session while that session is active. After that, the repetition
 * is refused, because the customer may have a second factor by then. Throws Refusal `sign_in_required`.
 */
async function enter(deps: Deps, client: Client, customerId: string, token: string): Promise<SessionCookies> {
  const entry: SessionCookies = { customerId, method: 'sign_up', token, deviceToken: null }
  const signedUp = await deps.db
    .selectFrom('bank.security_event')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('kind', '=', 'signed_up')
    .limit(sql.lit(1))
    .executeTakeFirst()
  if (signedUp) {
    // This check comes second: the event and the session are committed together, so a session that is missing now has ended.
    if (await isSessionLive(deps, tokenDigestOf(token))) return entry
    throw new Refusal('sign_in_required')
  }
  try {
    const firstSession = await beginSession(deps, client, entry)
    await enqueueGreeting(deps, customerId, client.source)
    return firstSession
  } catch (error) {
    // A copy of the request that ran at the same moment has begun the session.
    if (isUniqueViolation(error)) return entry
    throw error
  }
}

/**
 * Opens a customer. If the policy allows it, an email and phone that no other customer has count as confirmed from the start.
 */
async function openNewcomer(
  deps: Deps,
  openCustomer: OpenCustomer,
  applicant: Applicant,
  details: NewCustomer,
): Promise<Customer> {
  const unconfirmed: ContactAddress['kind'][] = deps.policy.contactsConfirmThemselves ? [] : ['email', 'phone']
  for (;;) {
    try {
      return await openCustomer(deps, applicant, { ...details, unconfirmed })
    } catch (error) {
      const conflict = refusedContact(error)
      if (!conflict || unconfirmed.includes(conflict)) throw error
      unconfirmed.push(conflict)
    }
  }
}

const greeting = z.object({ customerId: z.uuid(), asker: z.string().default('') })

/**
 * Mails a newcomer after the response, because the mail depends on whether another customer owns the address. `requester` is
 * the key under which limits count the calling network.
 */
export async function enqueueGreeting(deps: Pick<Deps, 'db'>, customerId: string, requester: string): Promise<void> {
  await enqueue(deps.db, greetJob, { customerId, asker: requester })
}

async function greet(deps: Deps, { customerId, asker: requester }: z.infer<typeof greeting>): Promise<void> {
  const newcomer = (await holderById(deps.db, customerId))?.customer
  if (!newcomer || !(await canMail(deps, { about: 'sign_up', to: newcomer.email, asker: requester }))) return
  const newcomerEmail = newcomer.email
  const owner = (await holderOfEmail(deps.db, newcomerEmail))?.customer
  if (!owner) await mailLink(deps, newcomer)
  else if (owner.id === newcomer.id)
    await sendMail(deps, deps.db, { to: newcomerEmail, customerId, kind: 'welcome', params: {} })
  else {
    const params = { fullName: owner.fullName }
    await sendMail(deps, deps.db, { to: newcomerEmail, customerId: owner.id, kind: 'already_customer', params })
  }
}

async function mailLink(deps: Pick<Deps, 'db' | 'clock' | 'config' | 'policy'>, newcomer: Customer): Promise<void> {
  const { id, email } = newcomer
  await inTransaction(deps.db, async (trx) => {
    const content: SignUpToken = { purpose: 'sign_up', email, customer: id }
    const token = await issueOneTimeToken(deps, trx, 'email', { customerId: null, content })
    await sendMail(deps, trx, {
      to: email,
      ...ownerForRequester(deps, newcomer),
      kind: 'confirm_email',
      params: {},
      token: sealedToken(deps.config, token),
    })
  })
}

export const greetJob = defineJob({ name: 'identity.greet', payload: greeting, work: greet })
