import { randomUUIDv7 } from 'node:crypto'
import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { isUniqueViolation } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Caller } from '#server/platform/http/caller.ts'
import { credentialChanged } from '#server/identity/sessions/credentials.ts'
import { CUSTOMER_FIELDS, type Customer, customerOf } from '#server/identity/customers/customers.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { issueOneTimeToken, LIFETIMES, voidOneTimeTokens } from '#server/identity/sessions/one-time-tokens.ts'
import { ownerForRequester, sealedToken, sendMail } from '#server/mail/service.ts'

/**
 * The content of a one-time token of the kind `email` that confirms a change of email. The token for the old address confirms
 * one request, whose id is `change`. The token for the new address belongs to no customer, as at sign-up. It proves that its
 * bearer reads the mail to that address.
 */
export type EmailChangeToken =
  | { purpose: 'change_old'; email: string; change: string; customer?: string }
  | { purpose: 'change_new'; email: string; customer?: string }

/** `mailNew`: whether the new address may get another mail. If not, the earlier links to it stay valid. */
type EmailChange = { customer: Customer; email: string; caller: Caller; mailNew: boolean }

/**
 * Records a request to change a customer's email, and mails both addresses for confirmation. An old address that was never
 * confirmed gets no mail. If the new address belongs to another customer, that customer gets a notice instead. The requester
 * sees no difference, and the change never happens. An earlier request becomes void.
 */
export async function askEmailChange(
  deps: Pick<Deps, 'clock' | 'config' | 'policy'>,
  trx: Transaction<Database>,
  { customer, email, caller, mailNew }: EmailChange,
): Promise<void> {
  await dropEmailChange(trx, customer.id)
  const change = randomUUIDv7()
  const expiresAt = new Date(deps.clock.realNow().getTime() + LIFETIMES.email)
  await trx
    .insertInto('bank.email_change')
    .values({
      customer_id: customer.id,
      id: change,
      email,
      old_confirmed: !customer.emailConfirmed,
      expires_at: expiresAt,
    })
    .execute()
  await recordSecurityEvent(deps, trx, { customerId: customer.id, kind: 'email_change_asked', caller })
  const { id: customerId, fullName } = customer
  if (customer.emailConfirmed) {
    const content: EmailChangeToken = { purpose: 'change_old', email: customer.email, change }
    const token = await issueOneTimeToken(deps, trx, 'email', { customerId, content })
    const params = { fullName }
    const mail = { to: customer.email, customerId, kind: 'confirm_change', params } as const
    await sendMail(deps, trx, { ...mail, token: sealedToken(deps.config, token) })
  }
  const owner = await trx
    .selectFrom('bank.customer')
    .select('id')
    .where('email', '=', email)
    .where('email_confirmed_at', 'is not', null)
    .executeTakeFirst()
  // The token is issued even if another customer owns the address, so that both cases take the same time.
  const content: EmailChangeToken = { purpose: 'change_new', email, customer: customerId }
  const token = sealedToken(deps.config, await issueOneTimeToken(deps, trx, 'email', { customerId: null, content }))
  if (!mailNew) return
  if (owner) await sendMail(deps, trx, { to: email, customerId: owner.id, kind: 'email_wanted', params: {} })
  else {
    const mail = { to: email, ...ownerForRequester(deps, customer), kind: 'confirm_new_email', params: {} } as const
    await sendMail(deps, trx, { ...mail, token })
  }
}

/** Withdraws a pending email change, if there is one, and voids its links. Returns whether there was one. */
export async function dropEmailChange(trx: Transaction<Database>, customerId: string): Promise<boolean> {
  const dropped = await trx
    .deleteFrom('bank.email_change')
    .where('customer_id', '=', customerId)
    .returning('id')
    .executeTakeFirst()
  return dropped !== undefined
}

type Confirmation = {
  customerId: string
  content: EmailChangeToken
  caller: Caller
  /** The session in which the customer opened the link; it stays open. Null if the customer opened the link elsewhere. */
  session: string | null
}

/**
 * Records the confirmation by one of the two addresses, in the SQL transaction that redeemed the one-time token. The second
 * confirmation changes the email. Throws Refusal `link_invalid` if the request is gone or another customer has the address now.
 * The caller lets this error roll back the transaction.
 */
export async function confirmEmailChange(
  deps: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  { customerId, content, caller, session }: Confirmation,
): Promise<'done' | 'other_pending'> {
  const wish = await markConfirmed(trx, content)
    .where('customer_id', '=', customerId)
    .where('expires_at', '>', deps.clock.realNow())
    .returning(['email', 'old_confirmed', 'new_confirmed'])
    .executeTakeFirst()
  if (!wish) throw new Refusal('link_invalid')
  if (!wish.old_confirmed || !wish.new_confirmed) return 'other_pending'
  const { email } = wish
  const before = await giveEmail(deps, trx, customerId, email)
  await dropEmailChange(trx, customerId)
  await voidOneTimeTokens(trx, 'email', customerId)
  const params = { fullName: before.fullName }
  if (before.emailConfirmed) await sendMail(deps, trx, { to: before.email, customerId, kind: 'email_changed', params })
  const customer = { ...before, email, emailConfirmed: true }
  await credentialChanged(deps, trx, { customer, kind: 'email_changed', caller, session })
  return 'done'
}

/** Marks the change request as confirmed by one address. */
function markConfirmed(trx: Transaction<Database>, content: EmailChangeToken) {
  const wishes = trx.updateTable('bank.email_change')
  return content.purpose === 'change_old'
    ? wishes.set({ old_confirmed: true }).where('id', '=', content.change)
    : wishes.set({ new_confirmed: true }).where('email', '=', content.email)
}

/** Sets a customer's confirmed email. Returns the customer before the change. */
async function giveEmail(
  deps: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  customerId: string,
  email: string,
): Promise<Customer> {
  const before = await trx
    .selectFrom('bank.customer')
    .select(CUSTOMER_FIELDS)
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow()
  try {
    await trx
      .updateTable('bank.customer')
      .set({ email, email_confirmed_at: deps.clock.realNow() })
      .where('id', '=', customerId)
      .execute()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Refusal('link_invalid', undefined, { cause: error })
  }
  return customerOf(before)
}
