import type { Transaction } from 'kysely'
import { z } from 'zod'
import { Refusal } from '#contract/errors.ts'
import type { SecurityEventKind } from '#contract/security-events.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { type Caller, callerShape } from '#server/platform/http/caller.ts'
import { countRequest, counterKey, type Limit, limiterFor } from '#server/platform/http/rate-limit.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { type PasswordHolder, holderById } from '#server/identity/customers/password-hash.ts'
import { isKnownDevice } from '#server/identity/sessions/known-devices.ts'
import { hashPassword, isOutdated, verifyPassword } from '#server/identity/passwords/passwords.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import type { MailKind } from '#server/mail/catalog.ts'
import { type MailAbout, canMail } from '#server/mail/mail-limit.ts'
import { sendMail } from '#server/mail/service.ts'
import { tokenDigestOf } from '#server/platform/secrets/token.ts'

/** After five failures, the lock refuses passwords for 15 minutes of real time. */
const TRIES = { points: 5, seconds: 15 * 60 }

const LOCKS = {
  /** The lock of the sign-in page for attempts from any address. Any person who has the email can trigger this lock. */
  sign_in: { name: 'password', ...TRIES },
  /** The lock of the sign-in page for a device on which the customer has signed in before. */
  known_device: { name: 'password-device', ...TRIES },
  /** The lock of a step-up within a session. */
  step_up: { name: 'password-step-up', ...TRIES },
} as const satisfies Record<string, Limit>

/** The lock and the key under which attempts are counted. The locks are independent of each other. */
export type PasswordLock = { where: keyof typeof LOCKS; key: string }

const NOBODY = '00000000-0000-0000-0000-000000000000'

type SignInTry = { holder: PasswordHolder | null; email: string; deviceToken: string | null }

/**
 * Returns the lock for a sign-in attempt. A customer with an unconfirmed email may have signed up with another person's
 * address, so their attempts count under a lock of their own. Their correct password does not reset the owner's lock, and their
 * failures do not trigger it. `deviceToken` is the token from the browser's cookie.
 */
export async function signInLock(
  deps: Pick<Deps, 'config' | 'db'>,
  { holder, email, deviceToken }: SignInTry,
): Promise<PasswordLock> {
  const device = deviceToken === null ? null : tokenDigestOf(deviceToken)
  // The look-up runs for unknown emails as well, so that both cases take the same time.
  const isKnown = device !== null && (await isKnownDevice(deps.db, holder?.customer.id ?? NOBODY, device))
  if (holder && isKnown) return { where: 'known_device', key: counterKey(deps, `${holder.customer.id} ${device}`) }
  const unconfirmed = holder && !holder.customer.emailConfirmed
  return { where: 'sign_in', key: counterKey(deps, unconfirmed ? holder.customer.id : email) }
}

/** Returns the lock for a step-up. Its key is the session's id; a session can begin only after a sign-in. */
export function stepUpLock(sessionId: string): PasswordLock {
  return { where: 'step_up', key: sessionId }
}

type Try = { password: string; holder: PasswordHolder | null; caller: Caller; lock: PasswordLock }

/**
 * Compares a password with the holder's hash, behind a lock. The attempt is counted before the comparison, so of a hundred
 * concurrent attempts five are compared. The response does not reveal whether the email has a holder: the function counts,
 * computes and writes the same for an unknown email.
 *
 * Returns the holder. Throws Refusal `credentials_wrong`. Throws `too_many_requests` while the lock is active, even for the
 * correct password. Throws `unavailable` while too many passwords are being compared; such an attempt is not counted.
 */
export async function checkPassword(
  deps: Pick<Deps, 'db' | 'limiters' | 'config'>,
  { password, holder, caller, lock: { where, key } }: Try,
): Promise<PasswordHolder> {
  const limiter = limiterFor(deps, LOCKS[where])
  const tries = await countRequest(limiter, key)
  const isRight = await verifyPassword(password, holder?.passwordHash ?? null).catch(async (error: unknown) => {
    await limiter.reward(key)
    throw error
  })
  if (isRight && holder) {
    await limiter.delete(key)
    return holder
  }
  const locked = tries >= TRIES.points
  if (locked) await limiter.block(key, TRIES.seconds)
  const noted: Failure = { customerId: holder?.customer.id ?? null, caller, where, locked }
  // A step-up records its failed attempts itself, so only its lock is recorded here.
  if (where !== 'step_up' || locked) await enqueue(deps.db, recordFailureJob, noted)
  throw new Refusal('credentials_wrong')
}

/**
 * Resets the locks of the sign-in page, including the locks of the customer's own devices. Failures with the old password do
 * not count against a new password.
 */
export async function openLocks(
  deps: Pick<Deps, 'db' | 'limiters' | 'config'>,
  { id, email }: Pick<Customer, 'id' | 'email'>,
): Promise<void> {
  await limiterFor(deps, LOCKS.sign_in).delete(counterKey(deps, email))
  const devices = await deps.db
    .selectFrom('bank.known_device')
    .select('token_hash')
    .where('customer_id', '=', id)
    .execute()
  for (const { token_hash: device } of devices) {
    await limiterFor(deps, LOCKS.known_device).delete(counterKey(deps, `${id} ${device}`))
  }
}

/**
 * Returns a check to run when the session begins. It verifies that the compared password is still the customer's, and waits for
 * a password change in progress. A later change finds the session and ends it. The check also renews an outdated hash.
 */
export async function unchangedPasswordCheck({ customer, passwordHash }: PasswordHolder, password: string) {
  const renewed = passwordHash && isOutdated(passwordHash) ? await hashPassword(password) : null
  return async (trx: Transaction<Database>): Promise<void> => {
    const row = await (renewed
      ? trx
          .updateTable('bank.customer')
          .set({ password_hash: renewed })
          .where('id', '=', customer.id)
          .where('password_hash', '=', passwordHash)
          .returning('id')
          .executeTakeFirst()
      : trx
          .selectFrom('bank.customer')
          .select('id')
          .where('id', '=', customer.id)
          .where('password_hash', '=', passwordHash)
          .forShare()
          .executeTakeFirst())
    if (!row) throw new Refusal('credentials_wrong')
  }
}

const failure = z.object({
  customerId: z.uuid().nullable(),
  caller: callerShape,
  where: z.enum(['sign_in', 'known_device', 'step_up', 'second_factor', 'step_up_code']).default('sign_in'),
  locked: z.boolean(),
})
type Failure = z.infer<typeof failure>

/** Notifies a customer that their second-factor codes are locked. The failures themselves are already recorded. */
export async function recordCodesLocked(
  deps: Pick<Deps, 'db'>,
  { customerId, caller, where }: { customerId: string; caller: Caller; where: 'second_factor' | 'step_up_code' },
): Promise<void> {
  const noted: Failure = { customerId, caller, where, locked: true }
  await enqueue(deps.db, recordFailureJob, noted)
}

/** The mail and the security event for each lock, and the limit that counts the mail. */
const LOCKED = {
  sign_in: { about: 'password_lock', mail: 'password_locked', event: 'password_locked' },
  known_device: { about: 'own_lock', mail: 'password_locked_on_device', event: 'password_locked' },
  step_up: { about: 'own_lock', mail: 'password_locked_in_session', event: 'password_locked' },
  second_factor: { about: 'codes_lock', mail: 'codes_locked', event: 'codes_locked' },
  step_up_code: { about: 'own_lock', mail: 'codes_locked_in_session', event: 'codes_locked' },
} as const satisfies Record<Failure['where'], { about: MailAbout; mail: MailKind; event: SecurityEventKind }>

/**
 * Records a failed attempt. If the attempt triggered the lock, also notifies the customer. This runs after the response, so
 * that the response time does not reveal whether a customer exists.
 */
async function noteFailure(deps: Deps, { customerId, caller, where, locked }: Failure): Promise<void> {
  const holder = customerId && (await holderById(deps.db, customerId))
  if (!holder) return
  const { email, emailConfirmed, fullName } = holder.customer
  const { about, mail, event } = LOCKED[where]
  const mailed = locked && emailConfirmed && (await canMail(deps, { about, to: email, asker: '' }))
  const atSignIn = where === 'sign_in' || where === 'known_device'
  await inTransaction(deps.db, async (trx) => {
    if (atSignIn) await recordSecurityEvent(deps, trx, { customerId, kind: 'sign_in_failed', caller })
    if (locked) await recordSecurityEvent(deps, trx, { customerId, kind: event, caller })
    const params = { fullName, tries: TRIES.points, minutes: TRIES.seconds / 60 }
    if (mailed) await sendMail(deps, trx, { to: email, customerId, kind: mail, params })
  })
}

export const recordFailureJob = defineJob({ name: 'identity.note_failure', payload: failure, work: noteFailure })
