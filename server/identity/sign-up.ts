import type { Context } from 'hono'
import { z } from 'zod'
import type { SignUpRequest } from '#contract/identity.ts'
import type { Bank } from '#server/bank.ts'
import { inTransaction, runOn } from '#server/db/run.ts'
import type { BankEnv } from '#server/http/context.ts'
import { beginSession } from '#server/http/session.ts'
import type { Contact } from '#server/identity/contact.ts'
import { type Customer, type NewCustomer, readOwn, takenContact } from '#server/identity/customers.ts'
import { mayMail } from '#server/identity/mail-limit.ts'
import { type Holder, holderById, holderOfEmail } from '#server/identity/password-check.ts'
import { readName } from '#server/identity/name.ts'
import { checkNewPassword } from '#server/identity/password-rule.ts'
import { hashPassword } from '#server/identity/passwords.ts'
import { issueTicket } from '#server/identity/tickets.ts'
import { type OpenCustomer, rememberCustomer } from '#server/identity/visitors.ts'
import { enqueue, type Tasks } from '#server/jobs.ts'
import { linkTo, sealedLink } from '#server/mail/link.ts'
import { aboutAsker, sendMail } from '#server/mail/service.ts'

/** What a ticket of the kind `email` holds when it is about the address somebody signed up with. */
export type SignUpTicket = { purpose: 'sign_up'; email: string }

/**
 * Opens a customer and signs them in. Nothing that is answered, or how soon, tells whether the email or the phone is
 * another customer's: the newcomer is a customer either way, whom those do not name until they are confirmed
 * (docs/decisions/0009).
 * Throws Refusal `email_invalid`, `phone_invalid`, what the rule for passwords refuses, and `unavailable`.
 */
export async function signUp(c: Context<BankEnv>, open: OpenCustomer, request: SignUpRequest): Promise<Customer> {
  const bank = c.get('bank')
  const { password } = request
  const fullName = readName(request.fullName)
  const email = readOwn('email', request.email)
  const phone = readOwn('phone', request.phone)
  await checkNewPassword(bank, password, { fullName, email })
  const passwordHash = await hashPassword(password)
  const customer = await openNewcomer(bank, open, { fullName, email, phone, passwordHash })
  await greetSoon(bank, customer.id)
  await beginSession(c, customer.id, 'sign_up')
  await rememberCustomer(c, customer.id)
  return customer
}

/**
 * Opens a customer whom email and phone name from the first moment where the policy lets them and nobody else has
 * them, and not yet where not.
 */
async function openNewcomer(bank: Bank, open: OpenCustomer, details: NewCustomer): Promise<Customer> {
  const unconfirmed: Contact['kind'][] = bank.policy.contactsConfirmThemselves ? [] : ['email', 'phone']
  for (;;) {
    try {
      return await open(bank, { ...details, unconfirmed })
    } catch (error) {
      const taken = takenContact(error)
      if (!taken || unconfirmed.includes(taken)) throw error
      unconfirmed.push(taken)
    }
  }
}

const GREET = 'identity.greet'
const greeting = z.object({ customerId: z.uuid() })

/** Writes to a newcomer's address, once the answer is out: what is written, and to whom, depends on whose it is. */
export async function greetSoon(bank: Pick<Bank, 'pool'>, customerId: string): Promise<void> {
  await enqueue(runOn(bank.pool), GREET, { customerId })
}

async function greet(bank: Bank, payload: unknown): Promise<void> {
  const run = runOn(bank.pool)
  const newcomer = (await holderById(run, greeting.parse(payload).customerId))?.customer
  if (!newcomer || !(await mayMail(bank, 'sign-up', newcomer.email))) return
  const owner = await holderOfEmail(run, newcomer.email)
  if (!owner) await mailLink(bank, newcomer)
  else if (owner.customer.id === newcomer.id) await sendMail(bank, run, welcomeMail(newcomer))
  else await sendMail(bank, run, ownerMail(bank, owner))
}

/** To somebody who may never have heard of us: nothing in it is of the newcomer's choosing, their name included. */
async function mailLink(
  bank: Pick<Bank, 'db' | 'clock' | 'config' | 'policy'>,
  { id, email }: Customer,
): Promise<void> {
  await inTransaction(bank.db, async (_trx, run) => {
    const content: SignUpTicket = { purpose: 'sign_up', email }
    const token = await issueTicket(bank, run, 'email', { customerId: id, content })
    const link = sealedLink(bank.config, linkTo(bank.config, `/confirm-email?token=${token}`))
    await sendMail(bank, run, {
      to: email,
      ...aboutAsker(bank, id),
      subject: 'Confirm your email',
      text: [
        'Hello,',
        `Open this link to confirm that this address is yours:\n${link}`,
        'The link works once, for 24 hours. Until then nobody can send you money by email, and you cannot sign in with it.',
        'If you did not sign up with Alder, somebody has mistyped their address: there is nothing you need to do.',
      ].join('\n\n'),
    })
  })
}

function welcomeMail({ id, email }: Customer) {
  return {
    to: email,
    customerId: id,
    subject: 'Welcome to Alder',
    text: [
      'Hello,',
      'Your account is open. From now on you sign in with this address, and money sent to it is yours at once.',
    ].join('\n\n'),
  }
}

function ownerMail({ config }: Pick<Bank, 'config'>, { customer: { id, email, fullName } }: Holder) {
  return {
    to: email,
    customerId: id,
    subject: 'You already have an account',
    text: [
      `Hello ${fullName},`,
      'Somebody signed up with Alder with this address, which is yours already. Nothing has changed for you, and they were not told.',
      `If it was you, sign in at ${linkTo(config, '/login')}, or choose "Forgot Password?" there.`,
    ].join('\n\n'),
  }
}

export const tasks = { [GREET]: greet } satisfies Tasks
