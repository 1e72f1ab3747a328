import { z } from 'zod'
import { Refusal } from '#contract/errors.ts'
import type { SecurityEventKind } from '#contract/identity.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, type Run, runOn } from '#server/platform/db/run.ts'
import { type Caller, callerShape } from '#server/platform/http/caller.ts'
import { count, countedAs, type Limit, limiterFor } from '#server/platform/http/rate-limit.ts'
import { CUSTOMER_COLUMNS, type Customer, customerOf, type CustomerRow } from '#server/identity/customers/customers.ts'
import { knownDeviceId } from '#server/identity/sessions/known-devices.ts'
import { mayMail } from '#server/identity/passwords/mail-limit.ts'
import { hashPassword, isOutdated, verifyPassword } from '#server/identity/passwords/passwords.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { sendMail } from '#server/mail/service.ts'

/** Five failures, and no password is looked at there for 15 minutes of real time. */
const TRIES = { points: 5, seconds: 15 * 60 }

const LOCKS = {
  /** At the sign-in page, from any address: whoever knows an email can have this one locked. */
  sign_in: { name: 'password', ...TRIES },
  /** At the sign-in page, on a device the customer has signed in on before. */
  known_device: { name: 'password-device', ...TRIES },
  /** In a session, by somebody who is signed in. */
  step_up: { name: 'password-step-up', ...TRIES },
} as const satisfies Record<string, Limit>

/** Where tries are counted, and under what. Each lock is its own: none of them closes or opens another. */
export type PasswordLock = { where: keyof typeof LOCKS; key: string }

/** A customer with the hash of their password, if they have one. */
export type Holder = { customer: Customer; passwordHash: string | null }

const HOLDER_COLUMNS = `${CUSTOMER_COLUMNS}, c.password_hash`

function holderOf(row: Record<string, unknown> | undefined): Holder | null {
  if (!row) return null
  const known = row as unknown as CustomerRow & { password_hash: string | null }
  return { customer: customerOf(known), passwordHash: known.password_hash }
}

/** Whose confirmed email this is, spelled as the bank keeps it; null where it is nobody's. */
export async function holderOfEmail(run: Run, email: string): Promise<Holder | null> {
  const { rows } = await run(
    `SELECT ${HOLDER_COLUMNS} FROM bank.customer c
      WHERE c.email = $1 AND c.email_confirmed_at IS NOT NULL AND c.closed_at IS NULL`,
    [email],
  )
  return holderOf(rows[0])
}

export async function holderById(run: Run, customerId: string): Promise<Holder | null> {
  const { rows } = await run(`SELECT ${HOLDER_COLUMNS} FROM bank.customer c WHERE c.id = $1 AND c.closed_at IS NULL`, [
    customerId,
  ])
  return holderOf(rows[0])
}

type SignInTry = { holder: Holder | null; email: string; knownDevice: string | undefined }

/**
 * What tries to sign in count under. Who has not confirmed an email may have signed up with somebody else's, so theirs
 * are counted apart: what they know of their own password opens no lock of another's, and what they get wrong closes
 * none. `knownDevice`: what the browser says it is.
 */
export function signInLock(deps: Pick<Deps, 'config'>, { holder, email, knownDevice }: SignInTry): PasswordLock {
  const device = holder && knownDeviceId(deps.config, knownDevice, holder.customer.id)
  if (device) return { where: 'known_device', key: countedAs(deps, `${holder.customer.id} ${device}`) }
  const unconfirmed = holder && !holder.customer.emailConfirmed
  return { where: 'sign_in', key: countedAs(deps, unconfirmed ? holder.customer.id : email) }
}

/** What tries to confirm a request count under: the session's id, which only a proof can begin. */
export function stepUpLock(sessionId: string): PasswordLock {
  return { where: 'step_up', key: sessionId }
}

type Try = { password: string; holder: Holder | null; caller: Caller; lock: PasswordLock }

/**
 * Compares a password with the holder's, behind a lock. A try is counted before anything is compared,
 * so that of a hundred at once five are. Nothing tells whether the email has a holder: the same is counted, computed
 * and written where it has none.
 * Answers the holder. Throws Refusal `credentials_wrong`, `too_many_requests` while the password is locked, also for the right one, and
 * `unavailable` where too many passwords are being compared, which does not count.
 */
export async function checkPassword(
  deps: Pick<Deps, 'pool' | 'limiters' | 'config'>,
  { password, holder, caller, lock: { where, key } }: Try,
): Promise<Holder> {
  const limiter = limiterFor(deps, LOCKS[where])
  const tries = await count(limiter, key)
  const right = await verifyPassword(password, holder?.passwordHash ?? null).catch(async (error: unknown) => {
    await limiter.reward(key)
    throw error
  })
  if (right && holder) {
    await limiter.delete(key)
    return holder
  }
  const locked = tries >= TRIES.points
  if (locked) await limiter.block(key, TRIES.seconds)
  const noted: Failure = { customerId: holder?.customer.id ?? null, caller, where, locked }
  // A step-up writes its failures down itself.
  if (where !== 'step_up' || locked) await enqueue(runOn(deps.pool), noteFailureJob, noted)
  throw new Refusal('credentials_wrong')
}

/** Opens the lock: whoever has just chosen a new password is not kept out by tries with the old one. */
export async function openLock(deps: Pick<Deps, 'limiters' | 'config'>, email: string): Promise<void> {
  const { where, key } = signInLock(deps, { holder: null, email, knownDevice: undefined })
  await limiterFor(deps, LOCKS[where]).delete(key)
}

/**
 * What has to hold when somebody is let in by a password that was compared a moment ago: that it is still theirs. A
 * change that is under way is waited for; one that comes later finds the session that was begun, and ends it. An old
 * hash is brought up to date on the way.
 */
export async function stillTheirs({ customer, passwordHash }: Holder, password: string) {
  const renewed = passwordHash && isOutdated(passwordHash) ? await hashPassword(password) : null
  return async (run: Run): Promise<void> => {
    const { rows } = await (renewed
      ? run('UPDATE bank.customer SET password_hash = $3 WHERE id = $1 AND password_hash = $2 RETURNING id', [
          customer.id,
          passwordHash,
          renewed,
        ])
      : run('SELECT id FROM bank.customer WHERE id = $1 AND password_hash = $2 FOR SHARE', [customer.id, passwordHash]))
    if (rows.length === 0) throw new Refusal('credentials_wrong')
  }
}

const failure = z.object({
  customerId: z.uuid().nullable(),
  caller: callerShape,
  where: z.enum(['sign_in', 'known_device', 'step_up', 'second_factor']).default('sign_in'),
  locked: z.boolean(),
})
type Failure = z.infer<typeof failure>

/** Tells a customer that codes of their second factor are locked. The failures themselves are written down already. */
export async function noteCodesLocked(deps: Pick<Deps, 'pool'>, customerId: string, caller: Caller): Promise<void> {
  const noted: Failure = { customerId, caller, where: 'second_factor', locked: true }
  await enqueue(runOn(deps.pool), noteFailureJob, noted)
}

/** What a customer reads in their activity log when something was locked. */
const LOCKED_EVENT = {
  sign_in: 'password_locked',
  known_device: 'password_locked',
  step_up: 'password_locked',
  second_factor: 'codes_locked',
} as const satisfies Record<Failure['where'], SecurityEventKind>

/**
 * Tells a customer of a try that failed. Done afterwards: whoever waits for the answer must not see by its time that
 * there is somebody to tell.
 */
async function noteFailure(deps: Deps, { customerId, caller, where, locked }: Failure): Promise<void> {
  const holder = customerId && (await holderById(runOn(deps.pool), customerId))
  if (!holder) return
  const { id, email, emailConfirmed, fullName } = holder.customer
  const mailed = locked && emailConfirmed && (await mayMail(deps, 'lock', email))
  const atSignIn = where === 'sign_in' || where === 'known_device'
  await inTransaction(deps.db, async (_trx, run) => {
    if (atSignIn) await recordSecurityEvent(deps, run, { customerId: id, kind: 'sign_in_failed', caller })
    if (locked) await recordSecurityEvent(deps, run, { customerId: id, kind: LOCKED_EVENT[where], caller })
    if (mailed) await sendMail(deps, run, { to: email, customerId: id, ...lockedMail(where, fullName) })
  })
}

const MINUTES = TRIES.seconds / 60

const LOCKED_MAILS: Record<Failure['where'], { subject: string; text: readonly string[] }> = {
  sign_in: {
    subject: 'Your password was locked for a while',
    text: [
      `Somebody tried ${TRIES.points} wrong passwords for your account. For ${MINUTES} minutes no password is accepted from a device you have not signed in on before, not even the right one. Your own devices and passkeys still work.`,
      'If it was you, wait a little or choose a new password with "Forgot Password?" on the sign-in page. If it was not, they have not got in, and there is nothing you need to do.',
    ],
  },
  known_device: {
    subject: 'Your password was locked for a while',
    text: [
      `Somebody tried ${TRIES.points} wrong passwords on a device you have signed in on before. For ${MINUTES} minutes no password is accepted there, not even the right one. Passkeys still work.`,
      'If it was you, wait a little or choose a new password with "Forgot Password?" on the sign-in page. If it was not, they have not got in.',
    ],
  },
  step_up: {
    subject: 'Your password was locked for a while',
    text: [
      `Somebody who is signed in to your account typed ${TRIES.points} wrong passwords when we asked them to confirm that they are you. For ${MINUTES} minutes no password is accepted there.`,
      'If it was not you, choose a new password with "Forgot Password?" on the sign-in page, at once: that signs out all your devices.',
    ],
  },
  second_factor: {
    subject: 'Sign-in codes were locked for a while',
    text: [
      `Somebody who knows your password typed ${TRIES.points} wrong codes. For ${MINUTES} minutes no code is accepted there, not even the right one. Passkeys still work.`,
      'If it was not you, they have not got in, but they know your password: choose a new one with "Forgot Password?" on the sign-in page, at once.',
    ],
  },
}

function lockedMail(where: Failure['where'], fullName: string) {
  const { subject, text } = LOCKED_MAILS[where]
  return { subject, text: [`Hello ${fullName},`, ...text].join('\n\n') }
}

export const noteFailureJob = defineJob({ name: 'identity.note_failure', payload: failure, work: noteFailure })
