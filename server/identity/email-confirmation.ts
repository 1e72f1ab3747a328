import type { Context } from 'hono'
import { Refusal } from '#contract/errors.ts'
import type { EmailConfirmation } from '#contract/identity.ts'
import type { Bank } from '#server/bank.ts'
import { inTransaction, isUniqueViolation, type Run, runOn } from '#server/db/run.ts'
import { type Caller, callerOf } from '#server/http/caller.ts'
import type { BankEnv } from '#server/http/context.ts'
import { visitorIn } from '#server/http/session.ts'
import { holderById } from '#server/identity/password-check.ts'
import { recordSecurityEvent } from '#server/identity/security-events.ts'
import { signInHolder } from '#server/identity/sign-in.ts'
import type { SignUpTicket } from '#server/identity/sign-up.ts'
import { readTicket, takeTicket } from '#server/identity/tickets.ts'
import { confirmEmailChange, dropEmailChange, type EmailChangeTicket } from '#server/identity/email-change.ts'

/** What a ticket of the kind `email` holds. */
type EmailTicket = SignUpTicket | EmailChangeTicket

type Request = { ticket: string; password?: string | undefined }

/**
 * Confirms that an address belongs to the customer its link was made for. The link shows who reads the mail; the
 * customer's own session, or their password, that it is them: a stranger who signed up with somebody's address is not
 * helped by that somebody's click. A right password signs in, as far as a second factor lets it.
 * Throws Refusal `link_invalid`, `fields_missing` naming the password, and what comparing one may refuse.
 */
export async function confirmEmail(
  c: Context<BankEnv>,
  { ticket, password }: Request,
): Promise<EmailConfirmation['status']> {
  const bank = c.get('bank')
  const link = await readTicket<EmailTicket>(bank, runOn(bank.pool), 'email', ticket)
  const holder = link?.customerId ? await holderById(runOn(bank.pool), link.customerId) : null
  if (!holder) throw new Refusal('link_invalid')
  const asker = await visitorIn(c)
  const confirmation = { ticket, caller: callerOf(c), session: null }
  if (asker?.customer.id === holder.customer.id) {
    const own = { ...confirmation, session: asker.session }
    return inTransaction(bank.db, (_trx, run) => confirmWithin(bank, run, own))
  }
  if (password === undefined) throw new Refusal('fields_missing', 'password')
  let status: EmailConfirmation['status'] = 'done'
  await signInHolder(c, holder, { email: holder.customer.email, password }, async (run) => {
    status = await confirmWithin(bank, run, confirmation)
  })
  return status
}

/** `session`: the customer's own, which goes on whatever a changed email brings; null where there is none. */
type Confirmation = { ticket: string; caller: Caller; session: string | null }

async function confirmWithin(
  bank: Pick<Bank, 'clock'>,
  run: Run,
  { ticket, caller, session }: Confirmation,
): Promise<EmailConfirmation['status']> {
  const link = await takeTicket<EmailTicket>(bank, run, 'email', ticket)
  if (!link?.customerId) throw new Refusal('link_invalid')
  const { customerId, content } = link
  if (content.purpose !== 'sign_up') return confirmEmailChange(bank, run, { customerId, content, caller, session })
  await giveAddress(bank, run, customerId, content.email)
  // Another email that was asked for until now was asked of one address alone: this one had no say in it.
  await dropEmailChange(run, customerId)
  await recordSecurityEvent(bank, run, { customerId, kind: 'email_confirmed', caller })
  return 'done'
}

/** Has an address name the customer from now on. Throws Refusal `link_invalid` where it is somebody else's by now. */
async function giveAddress(bank: Pick<Bank, 'clock'>, run: Run, customerId: string, email: string): Promise<void> {
  const given = run(
    `UPDATE bank.customer SET email_confirmed_at = $3
      WHERE id = $1 AND email = $2 AND email_confirmed_at IS NULL RETURNING id`,
    [customerId, email, bank.clock.realNow()],
  ).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error
    throw new Refusal('link_invalid', undefined, { cause: error })
  })
  if ((await given).rows.length === 0) throw new Refusal('link_invalid')
}
