import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { EmailConfirmation } from '#contract/identity.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, isUniqueViolation } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Caller } from '#server/platform/http/caller.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { holderById } from '#server/identity/customers/holders.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { type SignedIn, signInHolder } from '#server/identity/sign-in/sign-in.ts'
import type { SignUpToken } from '#server/identity/sign-in/sign-up.ts'
import { readOneTimeToken, takeOneTimeToken, type OneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'
import { confirmEmailChange, dropEmailChange, type EmailChangeToken } from '#server/identity/email/email-change.ts'

/** What a one-time token of the kind `email` holds. */
type EmailToken = SignUpToken | EmailChangeToken

type Request = { oneTimeToken: string; password?: string | undefined }

/** `signedIn`: what comes of the password that was asked for; null where none was. */
export type Confirmed = { status: EmailConfirmation['status']; signedIn: SignedIn | null }

/**
 * Confirms that an address belongs to a customer. The link proves who reads the mail; a session or a password proves who
 * they are, so that the owner's click does not confirm the address for somebody else who signed up with it. In a session,
 * the link works for the signed-in customer (`asker`) if they are confirming the same address, even if another customer
 * asked for the mail. Without one, the password of the customer who asked is needed, and signs them in unless they have a
 * second factor.
 * Throws Refusal `link_invalid`, `fields_missing` naming the password, and what comparing one may refuse.
 */
export async function confirmEmail(
  deps: Deps,
  client: Client,
  asker: { customer: Customer; session: string } | null,
  { oneTimeToken, password }: Request,
): Promise<Confirmed> {
  const link = await readOneTimeToken<EmailToken>(deps, deps.db, 'email', oneTimeToken)
  if (!link) throw new Refusal('link_invalid')
  const confirmation = { oneTimeToken, caller: client.caller, session: null }
  if (asker && (askedBy(link) === asker.customer.id || (await waitsFor(deps, asker.customer, link.content)))) {
    const own = { ...confirmation, customerId: asker.customer.id, session: asker.session }
    return { status: await inTransaction(deps.db, (trx) => confirmWithin(deps, trx, own)), signedIn: null }
  }
  const customerId = askedBy(link)
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

/** The customer on whose behalf the link was mailed. */
const askedBy = ({ customerId, content }: OneTimeToken<EmailToken>) => customerId ?? content.customer ?? null

/** Whether a customer waits for the mail in which this link came, or for one of another customer's about the same address. */
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
  /** The customer's own, which goes on whatever a changed email brings; null where there is none. */
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
  // Another email that was asked for until now was asked of one address alone: this one had no say in it.
  await dropEmailChange(trx, customerId)
  await recordSecurityEvent(deps, trx, { customerId, kind: 'email_confirmed', caller })
  return 'done'
}

/**
 * Has an address name the customer from now on. Answers whether it was theirs to confirm. Throws Refusal `link_invalid`
 * where it is somebody else's by now.
 */
async function giveAddress(
  deps: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  customerId: string,
  email: string,
): Promise<boolean> {
  try {
    const given = await trx
      .updateTable('bank.customer')
      .set({ email_confirmed_at: deps.clock.realNow() })
      .where('id', '=', customerId)
      .where('email', '=', email)
      .where('email_confirmed_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    return given !== undefined
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Refusal('link_invalid', undefined, { cause: error })
  }
}
