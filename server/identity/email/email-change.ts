import { randomUUIDv7 } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { isUniqueViolation, type Run } from '#server/platform/db/run.ts'
import type { Caller } from '#server/platform/http/caller.ts'
import { credentialChanged } from '#server/identity/sessions/credentials.ts'
import { CUSTOMER_COLUMNS, type Customer, customerOf, type CustomerRow } from '#server/identity/customers/customers.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { issueOneTimeToken, LIFETIMES, voidOneTimeTokens } from '#server/identity/sessions/one-time-tokens.ts'
import { linkTo, sealedLink } from '#server/mail/link.ts'
import { aboutAsker, sendMail } from '#server/mail/service.ts'

/** What a one-time token of the kind `email` holds when it is about a change; `change` names the wish it was made for. */
export type EmailChangeToken = { purpose: 'change_old' | 'change_new'; email: string; change: string }

type Asked = { customer: Customer; email: string; caller: Caller }

/**
 * Notes that a customer wants another email, and writes to both addresses for a yes from each. An address that was
 * never confirmed has no say. Where the new one belongs to another customer, that customer is told instead: whoever
 * asked sees no difference, and the change never comes to be. An earlier wish is void.
 */
export async function askEmailChange(
  deps: Pick<Deps, 'clock' | 'config' | 'policy'>,
  run: Run,
  { customer, email, caller }: Asked,
): Promise<void> {
  await dropEmailChange(run, customer.id)
  const change = randomUUIDv7()
  const expiresAt = new Date(deps.clock.realNow().getTime() + LIFETIMES.email)
  await run(
    'INSERT INTO bank.email_change (customer_id, id, email, old_confirmed, expires_at) VALUES ($1, $2, $3, $4, $5)',
    [customer.id, change, email, !customer.emailConfirmed, expiresAt],
  )
  await recordSecurityEvent(deps, run, { customerId: customer.id, kind: 'email_change_asked', caller })
  if (customer.emailConfirmed) {
    const link = await linkFor(deps, run, customer, { purpose: 'change_old', email: customer.email, change })
    await sendMail(deps, run, { to: customer.email, customerId: customer.id, ...oldMail(customer, email, link) })
  }
  const { rows } = await run('SELECT id FROM bank.customer WHERE email = $1 AND email_confirmed_at IS NOT NULL', [
    email,
  ])
  const owner = rows[0]?.['id'] as string | undefined
  // Made for nobody where there is an owner, so that both ways take as long.
  const link = await linkFor(deps, run, customer, { purpose: 'change_new', email, change })
  if (owner) await sendMail(deps, run, { to: email, customerId: owner, ...OWNER_MAIL })
  else await sendMail(deps, run, { to: email, ...aboutAsker(deps, customer.id), ...newMail(link) })
}

/** Lets a wish for another email go, if there is one; its links are void from then on. Answers whether there was one. */
export async function dropEmailChange(run: Run, customerId: string): Promise<boolean> {
  const { rows } = await run('DELETE FROM bank.email_change WHERE customer_id = $1 RETURNING id', [customerId])
  return rows.length > 0
}

async function linkFor(
  deps: Pick<Deps, 'clock' | 'config'>,
  run: Run,
  { id: customerId }: Pick<Customer, 'id'>,
  content: EmailChangeToken,
): Promise<string> {
  const token = await issueOneTimeToken(deps, run, 'email', { customerId, content })
  return sealedLink(deps.config, linkTo(deps.config, `/confirm-email?token=${token}`))
}

const LASTS = 'The link works once, for 24 hours.'

function oldMail({ fullName }: Pick<Customer, 'fullName'>, email: string, link: string) {
  return {
    subject: 'Do you want to change your email?',
    text: [
      `Hello ${fullName},`,
      `You asked us to write to ${email} instead of this address. Open this link to agree:\n${link}`,
      `We also wrote to the new address; your email changes once both have been confirmed. ${LASTS}`,
      'If this was not you, leave the link alone and choose a new password with "Forgot Password?" on the sign-in page.',
    ].join('\n\n'),
  }
}

/** Goes to somebody who may never have heard of us: nothing in it is of the asker's choosing, their name included. */
function newMail(link: string) {
  return {
    subject: 'Confirm your new email',
    text: [
      'Hello,',
      `Open this link to confirm that this address is yours:\n${link}`,
      `We also wrote to your present address; your email changes once both have been confirmed. ${LASTS}`,
      'If you do not bank with Alder, somebody has mistyped their address: there is nothing you need to do.',
    ].join('\n\n'),
  }
}

/** Says nothing of whoever asked. */
const OWNER_MAIL = {
  subject: 'Somebody asked for your email address',
  text: [
    'Hello,',
    'Somebody with another account at Alder asked us to write to this address instead of theirs. It is yours, so nothing has changed, and they were not told.',
    'If it was you, sign in with this address, or close that account first.',
  ].join('\n\n'),
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
  const column = content.purpose === 'change_old' ? 'old_confirmed' : 'new_confirmed'
  const { rows } = await run(
    `UPDATE bank.email_change SET ${column} = true WHERE customer_id = $1 AND id = $2 AND expires_at > $3
     RETURNING email, old_confirmed AND new_confirmed AS both`,
    [customerId, content.change, deps.clock.realNow()],
  )
  const [wish] = rows
  if (!wish) throw new Refusal('link_invalid')
  if (!wish['both']) return 'other_pending'
  const email = wish['email'] as string
  const before = await giveEmail(deps, run, customerId, email)
  await dropEmailChange(run, customerId)
  await voidOneTimeTokens(run, 'email', customerId)
  if (before.emailConfirmed) await sendMail(deps, run, { to: before.email, customerId, ...partingMail(before, email) })
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

/** The last that goes to the address that was: nothing can be asked for with it any more. */
function partingMail({ fullName }: Pick<Customer, 'fullName'>, email: string) {
  return {
    subject: 'Your email was changed',
    text: [
      `Hello ${fullName},`,
      `From now on you sign in with ${email}, and we write to it. This address is no longer yours at Alder.`,
      'If this was not you, somebody else reads your mail: change its password, and contact us at once.',
    ].join('\n\n'),
  }
}
