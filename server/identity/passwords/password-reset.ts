import { z } from 'zod'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import { type Caller, callerShape } from '#server/platform/http/caller.ts'
import { credentialChanged } from '#server/identity/sessions/credentials.ts'
import { type Customer, readOwn } from '#server/identity/customers/customers.ts'
import { isKnownDevice } from '#server/identity/sessions/known-devices.ts'
import { canMail } from '#server/mail/mail-limit.ts'
import { holderById, holderOfEmail } from '#server/identity/customers/password-hash.ts'
import { openLocks } from '#server/identity/passwords/password-locks.ts'
import { checkNewPassword } from '#server/identity/passwords/password-rule.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { issueOneTimeToken, readOneTimeToken, takeOneTimeToken } from '#server/identity/sessions/one-time-tokens.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { sealedToken, sendMail } from '#server/mail/service.ts'

/** The sender of a request for a link. `asker` is their network for the limits; `device` identifies their browser. */
type Asker = { caller: Caller; asker: string; device: string | null }

/**
 * Mails a link to choose a new password to the customer with this confirmed email. The response does not reveal whether there
 * is such a customer: until the response the same work runs for every address, and the mail is written afterwards. Throws
 * Refusal `email_invalid`.
 */
export async function askPasswordReset(deps: Pick<Deps, 'db'>, text: string, requester: Asker): Promise<void> {
  const holder = await holderOfEmail(deps.db, readOwn('email', text))
  await enqueueLinkMail(deps, { ...requester, customerId: holder?.customer.id ?? null, own: false })
}

/** Mails the link to a signed-in customer. Throws Refusal `email_unconfirmed` if the mail could reach another person. */
export async function askPasswordLink(
  deps: Pick<Deps, 'db'>,
  { id, emailConfirmed }: Customer,
  requester: Asker,
): Promise<void> {
  if (!emailConfirmed) throw new Refusal('email_unconfirmed')
  await enqueueLinkMail(deps, { ...requester, customerId: id, own: true })
}

const linkRequest = z.object({
  customerId: z.uuid().nullable(),
  caller: callerShape,
  asker: z.string().default(''),
  device: z.string().nullable().default(null),
  /** Whether the customer asked for the link in their own session. */
  own: z.boolean().default(false),
})
type AskedFor = z.infer<typeof linkRequest>

async function enqueueLinkMail(deps: Pick<Deps, 'db'>, payload: AskedFor): Promise<void> {
  await enqueue(deps.db, mailLinkJob, payload)
}

async function mailLink(
  deps: Deps,
  { customerId, caller, asker: requester, device, own: isOwn }: AskedFor,
): Promise<void> {
  const customer = customerId && (await holderById(deps.db, customerId))?.customer
  if (!customer || !customer.emailConfirmed) return
  const { id, email, fullName } = customer
  const isOwnRequest = isOwn || (device !== null && (await isKnownDevice(deps.db, id, device)))
  // Requests by other people do not use up the customer's own limit.
  const mail = isOwnRequest
    ? ({ about: 'own_password', asker: id } as const)
    : ({ about: 'password', asker: requester } as const)
  if (!(await canMail(deps, { ...mail, to: email }))) return
  await inTransaction(deps.db, async (trx) => {
    // If the customer has changed their email meanwhile, the links to the old address are void, and that address gets no new
    // link.
    const unchangedCustomer = await trx
      .selectFrom('bank.customer')
      .select('id')
      .where('id', '=', id)
      .where('email', '=', email)
      .where('email_confirmed_at', 'is not', null)
      .forShare()
      .executeTakeFirst()
    if (!unchangedCustomer) return
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
 * Sets the password that the bearer of a link has chosen. It ends every session of the customer and begins no new one. The next
 * sign-in still needs the second factor. If the rule refuses the password, the link stays valid. Throws Refusal `link_invalid`,
 * the refusals of the password rule, and `unavailable`.
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
    // This update precedes the end of the sessions. A sign-in with the old password either waits for this row or has already
    // begun a session, which then ends.
    await trx.updateTable('bank.customer').set({ password_hash: passwordHash }).where('id', '=', customer.id).execute()
    // An intruder may have asked for a change to their own email. The deletion makes its links useless.
    await trx.deleteFrom('bank.email_change').where('customer_id', '=', customer.id).execute()
    await credentialChanged(deps, trx, { customer, kind: 'password_changed', caller, session: null })
  })
  await openLocks(deps, customer)
}

export const mailLinkJob = defineJob({ name: 'identity.mail_password_link', payload: linkRequest, work: mailLink })
