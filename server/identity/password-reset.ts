import { z } from 'zod'
import { Refusal } from '#contract/errors.ts'
import type { Bank } from '#server/bank.ts'
import { inTransaction, runOn } from '#server/db/run.ts'
import { type Caller, callerShape } from '#server/http/caller.ts'
import { credentialChanged } from '#server/identity/credentials.ts'
import { type Customer, readOwn } from '#server/identity/customers.ts'
import { mayMail } from '#server/identity/mail-limit.ts'
import { holderById, holderOfEmail, openLock } from '#server/identity/password-check.ts'
import { checkNewPassword } from '#server/identity/password-rule.ts'
import { hashPassword } from '#server/identity/passwords.ts'
import { recordSecurityEvent } from '#server/identity/security-events.ts'
import { issueTicket, readTicket, takeTicket } from '#server/identity/tickets.ts'
import { enqueue, type Tasks } from '#server/jobs.ts'
import { linkTo, sealedLink } from '#server/mail/link.ts'
import { sendMail } from '#server/mail/service.ts'

/**
 * Mails a link to choose a new password to whoever has this confirmed email. Nothing tells whether anybody does: the
 * same is done now, and the rest once the answer is out. Throws Refusal `email_invalid`.
 */
export async function askPasswordReset(bank: Pick<Bank, 'pool'>, text: string, caller: Caller): Promise<void> {
  const holder = await holderOfEmail(runOn(bank.pool), readOwn('email', text))
  await mailLinkSoon(bank, { customerId: holder?.customer.id ?? null, caller })
}

/** The same for somebody who is signed in. Throws Refusal `email_unconfirmed` where the mail might reach another. */
export async function askPasswordLink(
  bank: Pick<Bank, 'pool'>,
  { id, emailConfirmed }: Customer,
  caller: Caller,
): Promise<void> {
  if (!emailConfirmed) throw new Refusal('email_unconfirmed')
  await mailLinkSoon(bank, { customerId: id, caller })
}

const MAIL_LINK = 'identity.mail_password_link'
const asked = z.object({ customerId: z.uuid().nullable(), caller: callerShape })

async function mailLinkSoon(bank: Pick<Bank, 'pool'>, payload: z.infer<typeof asked>): Promise<void> {
  await enqueue(runOn(bank.pool), MAIL_LINK, payload)
}

async function mailLink(bank: Bank, payload: unknown): Promise<void> {
  const { customerId, caller } = asked.parse(payload)
  const customer = customerId && (await holderById(runOn(bank.pool), customerId))?.customer
  if (!customer || !customer.emailConfirmed || !(await mayMail(bank, 'password', customer.email))) return
  const { id, email, fullName } = customer
  await inTransaction(bank.db, async (_trx, run) => {
    const token = await issueTicket(bank, run, 'password', { customerId: id, content: {} })
    const link = sealedLink(bank.config, linkTo(bank.config, `/reset-password?token=${token}`))
    await recordSecurityEvent(bank, run, { customerId: id, kind: 'password_reset_asked', caller })
    await sendMail(bank, run, {
      to: email,
      customerId: id,
      subject: 'Choose a new password',
      text: [
        `Hello ${fullName},`,
        `Open this link to choose a new password:\n${link}`,
        'The link works once, for 30 minutes. All your devices will be signed out.',
        'If you did not ask for it, leave the link alone: your password stays as it is.',
      ].join('\n\n'),
    })
  })
}

/**
 * Sets the password that the bearer of a link has chosen. It signs nobody in: every session of the customer ends, and a
 * second factor is asked for as before. A password that the rule refuses leaves the link as it was.
 * Throws Refusal `link_invalid`, what the rule refuses, and `unavailable`.
 */
export async function choosePassword(
  bank: Pick<Bank, 'pool' | 'db' | 'clock' | 'config' | 'policy'>,
  { ticket, password }: { ticket: string; password: string },
  caller: Caller,
): Promise<void> {
  const link = await readTicket(bank, runOn(bank.pool), 'password', ticket)
  const holder = link?.customerId ? await holderById(runOn(bank.pool), link.customerId) : null
  if (!holder) throw new Refusal('link_invalid')
  const { customer } = holder
  await checkNewPassword(bank, password, customer)
  const passwordHash = await hashPassword(password)
  await inTransaction(bank.db, async (_trx, run) => {
    if (!(await takeTicket(bank, run, 'password', ticket))) throw new Refusal('link_invalid')
    // Before sessions are ended: a sign-in with the old password waits for this row, or has begun a session by now.
    await run('UPDATE bank.customer SET password_hash = $2 WHERE id = $1', [customer.id, passwordHash])
    await credentialChanged(bank, run, { customer, kind: 'password_changed', caller, session: null })
  })
  await openLock(bank, customer.email)
}

export const tasks = { [MAIL_LINK]: mailLink } satisfies Tasks
