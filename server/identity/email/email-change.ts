import { randomUUIDv7 } from 'node:crypto'
import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { isUniqueViolation, type Run, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Caller } from '#server/platform/http/caller.ts'
import { credentialChanged } from '#server/identity/sessions/credentials.ts'
import { CUSTOMER_COLUMNS, type Customer, customerOf, type CustomerRow } from '#server/identity/customers/customers.ts'
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
  const run = runIn(trx)
  await dropEmailChange(run, customer.id)
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
  await recordSecurityEvent(deps, run, { customerId: customer.id, kind: 'email_change_asked', caller })
  const { id: customerId, fullName } = customer
  if (customer.emailConfirmed) {
    const content: EmailChangeToken = { purpose: 'change_old', email: customer.email, change }
    const token = await issueOneTimeToken(deps, run, 'email', { customerId, content })
    const params = { fullName }
    const mail = { to: customer.email, customerId, kind: 'confirm_change', params } as const
    await sendMail(deps, run, { ...mail, token: sealedToken(deps.config, token) })
  }
  const owner = await trx
    .selectFrom('bank.customer')
    .select('id')
    .where('email', '=', email)
    .where('email_confirmed_at', 'is not', null)
    .executeTakeFirst()
  // Issued even where another customer owns the address, so that both cases take as long.
  const content: EmailChangeToken = { purpose: 'change_new', email, customer: customerId }
  const token = sealedToken(deps.config, await issueOneTimeToken(deps, run, 'email', { customerId: null, content }))
  if (!mailNew) return
  if (owner) await sendMail(deps, run, { to: email, customerId: owner.id, kind: 'email_wanted', params: {} })
  else {
    const mail = { to: email, ...ownedByAsker(deps, customerId), kind: 'confirm_new_email', params: {} } as const
    await sendMail(deps, run, { ...mail, token })
  }
}

/** Withdraws a request for another email, if there is one, and voids its links. Answers whether there was one. */
export async function dropEmailChange(run: Run, customerId: string): Promise<boolean> {
  // Plain SQL, here and below: called inside the transactions of sign-in and of closing, which hand over a Run.
  const { rows } = await run('DELETE FROM bank.email_change WHERE customer_id = $1 RETURNING id', [customerId])
  return rows.length > 0
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
  run: Run,
  { customerId, content, caller, session }: Confirmation,
): Promise<'done' | 'other_pending'> {
  const [said, about, value] =
    content.purpose === 'change_old'
      ? ['old_confirmed', 'id', content.change]
      : ['new_confirmed', 'email', content.email]
  const { rows } = await run(
    `UPDATE bank.email_change SET ${said} = true WHERE customer_id = $1 AND ${about} = $2 AND expires_at > $3
     RETURNING email, old_confirmed AND new_confirmed AS both`,
    [customerId, value, deps.clock.realNow()],
  )
  const [wish] = rows
  if (!wish) throw new Refusal('link_invalid')
  if (!wish['both']) return 'other_pending'
  const email = wish['email'] as string
  const before = await giveEmail(deps, run, customerId, email)
  await dropEmailChange(run, customerId)
  await voidOneTimeTokens(run, 'email', customerId)
  const params = { fullName: before.fullName }
  if (before.emailConfirmed) await sendMail(deps, run, { to: before.email, customerId, kind: 'email_changed', params })
  const customer = { ...before, email, emailConfirmed: true }
  await credentialChanged(deps, run, { customer, kind: 'email_changed', caller, session })
  return 'done'
}

/** Makes an email the customer's own. Answers them as they were. */
async function giveEmail(deps: Pick<Deps, 'clock'>, run: Run, customerId: string, email: string): Promise<Customer> {
  const { rows } = await run(`SELECT ${CUSTOMER_COLUMNS} FROM bank.customer c WHERE c.id = $1`, [customerId])
  try {
    await run('UPDATE bank.customer SET email = $2, email_confirmed_at = $3 WHERE id = $1', [
      customerId,
      email,
      deps.clock.realNow(),
    ])
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Refusal('link_invalid', undefined, { cause: error })
  }
  return customerOf(rows[0] as unknown as CustomerRow)
}
