import { z } from 'zod'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import { type Caller, callerShape } from '#server/platform/http/caller.ts'
import { credentialChanged } from '#server/identity/sessions/credentials.ts'
import { type Customer, readOwn } from '#server/identity/customers/customers.ts'
import { isKnownDevice } from '#server/identity/sessions/known-devices.ts'
import { mayMail } from '#server/mail/mail-limit.ts'
import { holderById, holderOfEmail } from '#server/identity/customers/holders.ts'
import { openLocks } from '#server/identity/passwords/password-check.ts'
import { checkNewPassword } from '#server/identity/passwords/password-rule.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { issueOneTimeToken, readOneTimeToken, takeOneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { sealedToken, sendMail } from '#server/mail/service.ts'

/** Who asks for a link: `asker` as limits count their network, `device` what names their browser. */
type Asker = { caller: Caller; asker: string; device: string | null }

/**
 * Mails a link to choose a new password to whoever has this confirmed email. Nothing tells whether anybody does: the
 * same is done now, and the rest once the answer is out. Throws Refusal `email_invalid`.
 */
export async function askPasswordReset(deps: Pick<Deps, 'db'>, text: string, asker: Asker): Promise<void> {
  const holder = await holderOfEmail(deps.db, readOwn('email', text))
  await mailLinkSoon(deps, { ...asker, customerId: holder?.customer.id ?? null, own: false })
}

/** The same for somebody who is signed in. Throws Refusal `email_unconfirmed` where the mail might reach another. */
export async function askPasswordLink(
  deps: Pick<Deps, 'db'>,
  { id, emailConfirmed }: Customer,
  asker: Asker,
): Promise<void> {
  if (!emailConfirmed) throw new Refusal('email_unconfirmed')
  await mailLinkSoon(deps, { ...asker, customerId: id, own: true })
}

const asked = z.object({
  customerId: z.uuid().nullable(),
  caller: callerShape,
  asker: z.string().default(''),
  device: z.string().nullable().default(null),
  /** Whether it was asked for in a session of the customer's. */
  own: z.boolean().default(false),
})
type AskedFor = z.infer<typeof asked>

async function mailLinkSoon(deps: Pick<Deps, 'db'>, payload: AskedFor): Promise<void> {
  await enqueue(deps.db, mailLinkJob, payload)
}

async function mailLink(deps: Deps, { customerId, caller, asker, device, own }: AskedFor): Promise<void> {
  const customer = customerId && (await holderById(deps.db, customerId))?.customer
  if (!customer || !customer.emailConfirmed) return
  const { id, email, fullName } = customer
  const theirs = own || (device !== null && (await isKnownDevice(deps.db, id, device)))
  // Requests by others do not use up the customer's own limit.
  const mail = theirs ? ({ about: 'own_password', asker: id } as const) : ({ about: 'password', asker } as const)
  if (!(await mayMail(deps, { ...mail, to: email }))) return
  await inTransaction(deps.db, async (trx) => {
    // Whoever has changed their email meanwhile has voided the links of the old one, and gets no new one there.
    const still = await trx
      .selectFrom('bank.customer')
      .select('id')
      .where('id', '=', id)
      .where('email', '=', email)
      .where('email_confirmed_at', 'is not', null)
      .forShare()
      .executeTakeFirst()
    if (!still) return
    const token = sealedToken(
      deps.config,
      await issueOneTimeToken(deps, trx, 'password', { customerId: id, content: {} }),
    )
    await recordSecurityEvent(deps, trx, { customerId: id, kind: 'password_reset_asked', caller })
    const params = { fullName }
    await sendMail(deps, trx, { to: email, customerId: id, kind: 'choose_password', params, token })
  })
}

/**
 * Sets the password that the bearer of a link has chosen. It signs nobody in: every session of the customer ends, and a
 * second factor is asked for as before. A password that the rule refuses leaves the link as it was.
 * Throws Refusal `link_invalid`, what the rule refuses, and `unavailable`.
 */
export async function choosePassword(
  deps: Pick<Deps, 'limiters' | 'db' | 'clock' | 'config' | 'policy'>,
  { oneTimeToken, password }: { oneTimeToken: string; password: string },
  caller: Caller,
): Promise<void> {
  const link = await readOneTimeToken(deps, deps.db, 'password', oneTimeToken)
  const holder = link?.customerId ? await holderById(deps.db, link.customerId) : null
  if (!holder) throw new Refusal('link_invalid')
  const { customer } = holder
  await checkNewPassword(deps, password, customer)
  const passwordHash = await hashPassword(password)
  await inTransaction(deps.db, async (trx) => {
    if (!(await takeOneTimeToken(deps, trx, 'password', oneTimeToken))) throw new Refusal('link_invalid')
    // Before sessions are ended: a sign-in with the old password waits for this row, or has begun a session by now.
    await trx.updateTable('bank.customer').set({ password_hash: passwordHash }).where('id', '=', customer.id).execute()
    // An intruder may have asked for an email of their own: it can no longer be confirmed.
    await trx.deleteFrom('bank.email_change').where('customer_id', '=', customer.id).execute()
    await credentialChanged(deps, trx, { customer, kind: 'password_changed', caller, session: null })
  })
  await openLocks(deps, customer)
}

export const mailLinkJob = defineJob({ name: 'identity.mail_password_link', payload: asked, work: mailLink })
