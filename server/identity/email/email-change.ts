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
import { ownedByAsker, sealedToken, sendMail } from '#server/mail/service.ts'

/**
 * What a one-time token of the kind `email` holds when it is about a change: the yes of the old address is to this one wish, of
 * which `change` is the id. The one for the new address is nobody's, as those of sign-ups are: it shows who reads the mail.
 */
export type EmailChangeToken =
  | { purpose: 'change_old'; email: string; change: string; customer?: string }
  | { purpose: 'change_new'; email: string; customer?: string }

/** `mailNew`: whether the new address may be written to once more; else the links that it has will do. */
type Asked = { customer: Customer; email: string; caller: Caller; mailNew: boolean }

/**
 * Records a request to change a customer's email, and mails both addresses to confirm it; an address that was never
 * confirmed is not asked. Where the new one belongs to another customer, that customer is told instead: the one who
 * asked sees no difference, and the change never happens. An earlier request is void.
 */
export async function askEmailChange(
  deps: Pick<Deps, 'clock' | 'config' | 'policy'>,
  trx: Transaction<Database>,
  { customer, email, caller, mailNew }: Asked,
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
  // Issued even where another customer owns the address, so that both cases take as long.
  const content: EmailChangeToken = { purpose: 'change_new', email, customer: customerId }
  const token = sealedToken(deps.config, await issueOneTimeToken(deps, trx, 'email', { customerId: null, content }))
  if (!mailNew) return
  if (owner) await sendMail(deps, trx, { to: email, customerId: owner.id, kind: 'email_wanted', params: {} })
  else {
    const mail = { to: email, ...ownedByAsker(deps, customer), kind: 'confirm_new_email', params: {} } as const
    await sendMail(deps, trx, { ...mail, token })
  }
}

/** Withdraws a request for another email, if there is one, and voids its links. Answers whether there was one. */
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
  /** The customer's own session, where the link was opened in one: it goes on. */
  session: string | null
}

/**
 * One of the two addresses says yes, in the SQL transaction in which the caller took the one-time token. With the second yes
 * the email is changed. Throws Refusal `link_invalid` where the wish is gone or somebody else has the address by now:
 * the caller lets it roll the transaction back.
 */
export async function confirmEmailChange(
  deps: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  { customerId, content, caller, session }: Confirmation,
): Promise<'done' | 'other_pending'> {
  const wish = await saidYes(trx, content)
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

/** The yes of one address, noted with the wish that it is about. */
function saidYes(trx: Transaction<Database>, content: EmailChangeToken) {
  const wishes = trx.updateTable('bank.email_change')
  return content.purpose === 'change_old'
    ? wishes.set({ old_confirmed: true }).where('id', '=', content.change)
    : wishes.set({ new_confirmed: true }).where('email', '=', content.email)
}

/** Makes an email the customer's own. Answers them as they were. */
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
