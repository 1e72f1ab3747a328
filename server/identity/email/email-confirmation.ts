import { Refusal } from '#contract/errors.ts'
import type { EmailConfirmation } from '#contract/identity.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, isUniqueViolation, type Run, runOn } from '#server/platform/db/run.ts'
import type { Caller } from '#server/platform/http/caller.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { holderById } from '#server/identity/passwords/password-check.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { type SignedIn, signInHolder } from '#server/identity/sign-in/sign-in.ts'
import type { SignUpToken } from '#server/identity/sign-in/sign-up.ts'
import { readOneTimeToken, takeOneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'
import { confirmEmailChange, dropEmailChange, type EmailChangeToken } from '#server/identity/email/email-change.ts'

/** What a one-time token of the kind `email` holds. */
type EmailToken = SignUpToken | EmailChangeToken

type Request = { oneTimeToken: string; password?: string | undefined }

/** `signedIn`: what comes of the password that was asked for; null where none was. */
export type Confirmed = { status: EmailConfirmation['status']; signedIn: SignedIn | null }

/**
 * Confirms that an address belongs to the customer its link was made for. The link shows who reads the mail; the
 * customer's own session, or their password, that it is them: a stranger who signed up with somebody's address is not
 * helped by that somebody's click. `asker`: who is signed in on the browser. A right password signs in, as far as a second factor lets it.
 * Throws Refusal `link_invalid`, `fields_missing` naming the password, and what comparing one may refuse.
 */
export async function confirmEmail(
  deps: Deps,
  client: Client,
  asker: { customer: Customer; session: string } | null,
  { oneTimeToken, password }: Request,
): Promise<Confirmed> {
  const link = await readOneTimeToken<EmailToken>(deps, runOn(deps.pool), 'email', oneTimeToken)
  const holder = link?.customerId ? await holderById(runOn(deps.pool), link.customerId) : null
  if (!holder) throw new Refusal('link_invalid')
  const confirmation = { oneTimeToken, caller: client.caller, session: null }
  if (asker?.customer.id === holder.customer.id) {
    const own = { ...confirmation, session: asker.session }
    return { status: await inTransaction(deps.db, (_trx, run) => confirmWithin(deps, run, own)), signedIn: null }
  }
  if (password === undefined) throw new Refusal('fields_missing', 'password')
  let status: EmailConfirmation['status'] = 'done'
  const credentials = { holder, email: holder.customer.email, password }
  const signedIn = await signInHolder(deps, client, credentials, async (run) => {
    status = await confirmWithin(deps, run, confirmation)
  })
  return { status, signedIn }
}

/** `session`: the customer's own, which goes on whatever a changed email brings; null where there is none. */
type Confirmation = { oneTimeToken: string; caller: Caller; session: string | null }

async function confirmWithin(
  deps: Pick<Deps, 'clock'>,
  run: Run,
  { oneTimeToken, caller, session }: Confirmation,
): Promise<EmailConfirmation['status']> {
  const link = await takeOneTimeToken<EmailToken>(deps, run, 'email', oneTimeToken)
  if (!link?.customerId) throw new Refusal('link_invalid')
  const { customerId, content } = link
  if (content.purpose !== 'sign_up') return confirmEmailChange(deps, run, { customerId, content, caller, session })
  await giveAddress(deps, run, customerId, content.email)
  // Another email that was asked for until now was asked of one address alone: this one had no say in it.
  await dropEmailChange(run, customerId)
  await recordSecurityEvent(deps, run, { customerId, kind: 'email_confirmed', caller })
  return 'done'
}

/** Has an address name the customer from now on. Throws Refusal `link_invalid` where it is somebody else's by now. */
async function giveAddress(deps: Pick<Deps, 'clock'>, run: Run, customerId: string, email: string): Promise<void> {
  const given = run(
    `UPDATE bank.customer SET email_confirmed_at = $3
      WHERE id = $1 AND email = $2 AND email_confirmed_at IS NULL RETURNING id`,
    [customerId, email, deps.clock.realNow()],
  ).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error
    throw new Refusal('link_invalid', undefined, { cause: error })
  })
  if ((await given).rows.length === 0) throw new Refusal('link_invalid')
}
