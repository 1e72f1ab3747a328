import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { EmailConfirmation } from '#contract/identity.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, isUniqueViolation } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Caller } from '#server/platform/http/caller.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { holderById } from '#server/identity/customers/password-hash.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { type SignedIn, signInHolder } from '#server/identity/sign-in/sign-in.ts'
import type { SignUpToken } from '#server/identity/sign-in/sign-up.ts'
import { readOneTimeToken, takeOneTimeToken, type OneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'
import { confirmEmailChange, dropEmailChange, type EmailChangeToken } from '#server/identity/email/email-change.ts'

/** The content of a one-time token of the kind `email`. */
type EmailToken = SignUpToken | EmailChangeToken

type Request = { oneTimeToken: string; password?: string | undefined }

/** `signedIn`: the result of signing in with the password. Null if no password was needed. */
export type ConfirmationResult = { status: EmailConfirmation['status']; signedIn: SignedIn | null }

/**
 * Confirms that an address belongs to a customer. The link proves who reads the mail. A session or a password proves which
 * customer is confirming. Without this second proof, the owner's click would confirm the address for another person who signed
 * up with it.
 *
 * In a session, the link works for the signed-in customer (`requester`) if they are confirming the same address, even if
 * another customer asked for the mail. Without a session, the customer who asked must give their password. The password also
 * signs them in unless they have a second factor.
 *
 * Throws Refusal `link_invalid`, `fields_missing` naming the password, and the refusals of the password check.
 */
export async function confirmEmail(
  deps: Deps,
  client: Client,
  requester: { customer: Customer; session: string } | null,
  { oneTimeToken, password }: Request,
): Promise<ConfirmationResult> {
  const link = await readOneTimeToken<EmailToken>(deps, deps.db, 'email', oneTimeToken)
  if (!link) throw new Refusal('link_invalid')
  const confirmation = { oneTimeToken, caller: client.caller, session: null }
  if (
    requester &&
    (customerOfLink(link) === requester.customer.id || (await waitsFor(deps, requester.customer, link.content)))
  ) {
    const content = { ...confirmation, customerId: requester.customer.id, session: requester.session }
    return { status: await inTransaction(deps.db, (trx) => confirmWithin(deps, trx, content)), signedIn: null }
  }
  const customerId = customerOfLink(link)
  const holder = customerId === null ? null : await holderById(deps.db, customerId)
  if (!holder || customerId === null) throw new Refusal('link_invalid')
  if (password === undefined) throw new Refusal('fields_missing', 'password')
  let status: EmailConfirmation['status'] = 'done'
  const credentials = { holder, email: holder.customer.email, password }
  const signedIn = await signInHolder(deps, client, credentials, async (trx) => {
    status = await confirmWithin(deps, trx, { ...confirmation, customerId })
  })
  return { status, signedIn }
}

/** Returns the customer for whom the link was mailed. */
const customerOfLink = ({ customerId, content }: OneTimeToken<EmailToken>) => customerId ?? content.customer ?? null

/** Returns whether the customer is confirming the link's address, even if another customer asked for the mail. */
async function waitsFor(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  customer: Customer,
  { purpose, email }: EmailToken,
): Promise<boolean> {
  if (purpose === 'change_old') return false
  if (!customer.emailConfirmed && customer.email === email) return true
  const wish = await db
    .selectFrom('bank.email_change')
    .select('id')
    .where('customer_id', '=', customer.id)
    .where('email', '=', email)
    .where('expires_at', '>', clock.realNow())
    .executeTakeFirst()
  return wish !== undefined
}

type Confirmation = {
  oneTimeToken: string
  customerId: string
  caller: Caller
  /** The customer's own session, which stays open when the email changes. Null without one. */
  session: string | null
}

async function confirmWithin(
  deps: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  { oneTimeToken, customerId, caller, session }: Confirmation,
): Promise<EmailConfirmation['status']> {
  const link = await takeOneTimeToken<EmailToken>(deps, trx, 'email', oneTimeToken)
  if (!link) throw new Refusal('link_invalid')
  const { content } = link
  if (content.purpose === 'change_old') return confirmEmailChange(deps, trx, { customerId, content, caller, session })
  const { email } = content
  if (!(await giveAddress(deps, trx, customerId, email))) {
    const change = { purpose: 'change_new', email } as const
    return confirmEmailChange(deps, trx, { customerId, content: change, caller, session })
  }
  // This ends a pending change to another email. That change was requested while this address was unconfirmed, so it does not
  // wait for a confirmation by this address.
  await dropEmailChange(trx, customerId)
  await recordSecurityEvent(deps, trx, { customerId, kind: 'email_confirmed', caller })
  return 'done'
}

/**
 * Marks a customer's address as confirmed. Returns whether the customer had this address unconfirmed. Throws Refusal
 * `link_invalid` if another customer has it now.
 */
async function giveAddress(
  deps: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  customerId: string,
  email: string,
): Promise<boolean> {
  try {
    const confirmed = await trx
      .updateTable('bank.customer')
      .set({ email_confirmed_at: deps.clock.realNow() })
      .where('id', '=', customerId)
      .where('email', '=', email)
      .where('email_confirmed_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    return confirmed !== undefined
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Refusal('link_invalid', undefined, { cause: error })
  }
}
