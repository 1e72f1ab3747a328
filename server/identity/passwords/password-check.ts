import type { Transaction } from 'kysely'
import { z } from 'zod'
import { Refusal } from '#contract/errors.ts'
import type { SecurityEventKind } from '#contract/security-events.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { type Caller, callerShape } from '#server/platform/http/caller.ts'
import { count, countedAs, type Limit, limiterFor } from '#server/platform/http/rate-limit.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { type Holder, holderById } from '#server/identity/customers/holders.ts'
import { isKnownDevice } from '#server/identity/sessions/known-devices.ts'
import { hashPassword, isOutdated, verifyPassword } from '#server/identity/passwords/passwords.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import type { MailKind } from '#server/mail/catalogue.ts'
import { type MailAbout, mayMail } from '#server/mail/mail-limit.ts'
import { sendMail } from '#server/mail/service.ts'
import { digestOf } from '#server/platform/secrets/token.ts'

/** Five failures, and no password is looked at there for 15 minutes of real time. */
const TRIES = { points: 5, seconds: 15 * 60 }

const LOCKS = {
  /** At the sign-in page, from any address: anybody who knows an email can trigger this lock. */
  sign_in: { name: 'password', ...TRIES },
  /** At the sign-in page, on a device the customer has signed in on before. */
  known_device: { name: 'password-device', ...TRIES },
  /** In a session, by somebody who is signed in. */
  step_up: { name: 'password-step-up', ...TRIES },
} as const satisfies Record<string, Limit>

/** Where tries are counted, and under what. Each lock is its own: none of them closes or opens another. */
export type PasswordLock = { where: keyof typeof LOCKS; key: string }

const NOBODY = '00000000-0000-0000-0000-000000000000'

type SignInTry = { holder: Holder | null; email: string; deviceToken: string | null }

/**
 * What tries to sign in count under. Who has not confirmed an email may have signed up with somebody else's, so theirs
 * are counted apart: what they know of their own password opens no lock of another's, and what they get wrong closes
 * none. `deviceToken`: what the browser's cookie says.
 */
export async function signInLock(
  deps: Pick<Deps, 'config' | 'db'>,
  { holder, email, deviceToken }: SignInTry,
): Promise<PasswordLock> {
  const device = deviceToken === null ? null : digestOf(deviceToken)
  // Looked up for unknown emails as well, so that both take as long.
  const known = device !== null && (await isKnownDevice(deps.db, holder?.customer.id ?? NOBODY, device))
  if (holder && known) return { where: 'known_device', key: countedAs(deps, `${holder.customer.id} ${device}`) }
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
  deps: Pick<Deps, 'db' | 'limiters' | 'config'>,
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
  if (where !== 'step_up' || locked) await enqueue(deps.db, noteFailureJob, noted)
  throw new Refusal('credentials_wrong')
}

/**
 * Opens the locks of the sign-in page, those of the customer's own devices too: failed tries with the old password do not
 * count against a new one.
 */
export async function openLocks(
  deps: Pick<Deps, 'db' | 'limiters' | 'config'>,
  { id, email }: Pick<Customer, 'id' | 'email'>,
): Promise<void> {
  await limiterFor(deps, LOCKS.sign_in).delete(countedAs(deps, email))
  const devices = await deps.db
    .selectFrom('bank.known_device')
    .select('token_hash')
    .where('customer_id', '=', id)
    .execute()
  for (const { token_hash: device } of devices) {
    await limiterFor(deps, LOCKS.known_device).delete(countedAs(deps, `${id} ${device}`))
  }
}

/**
 * Checks, when a session begins, that the password that was compared is still the customer's. A change that is under way
 * is waited for; a later one finds the session and ends it. An outdated hash is renewed on the way.
 */
export async function stillTheirs({ customer, passwordHash }: Holder, password: string) {
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

/** Tells a customer that codes of their second factor are locked. The failures themselves are written down already. */
export async function noteCodesLocked(
  deps: Pick<Deps, 'db'>,
  { customerId, caller, where }: { customerId: string; caller: Caller; where: 'second_factor' | 'step_up_code' },
): Promise<void> {
  const noted: Failure = { customerId, caller, where, locked: true }
  await enqueue(deps.db, noteFailureJob, noted)
}

/** What a customer is told when something was locked, and which limit counts the mail. */
const LOCKED = {
  sign_in: { about: 'password_lock', mail: 'password_locked', event: 'password_locked' },
  known_device: { about: 'own_lock', mail: 'password_locked_on_device', event: 'password_locked' },
  step_up: { about: 'own_lock', mail: 'password_locked_in_session', event: 'password_locked' },
  second_factor: { about: 'codes_lock', mail: 'codes_locked', event: 'codes_locked' },
  step_up_code: { about: 'own_lock', mail: 'codes_locked_in_session', event: 'codes_locked' },
} as const satisfies Record<Failure['where'], { about: MailAbout; mail: MailKind; event: SecurityEventKind }>

/**
 * Tells a customer of a try that failed. Done afterwards: whoever waits for the answer must not see by its time that
 * there is somebody to tell.
 */
async function noteFailure(deps: Deps, { customerId, caller, where, locked }: Failure): Promise<void> {
  const holder = customerId && (await holderById(deps.db, customerId))
  if (!holder) return
  const { email, emailConfirmed, fullName } = holder.customer
  const { about, mail, event } = LOCKED[where]
  const mailed = locked && emailConfirmed && (await mayMail(deps, { about, to: email, asker: '' }))
  const atSignIn = where === 'sign_in' || where === 'known_device'
  await inTransaction(deps.db, async (trx) => {
    if (atSignIn) await recordSecurityEvent(deps, trx, { customerId, kind: 'sign_in_failed', caller })
    if (locked) await recordSecurityEvent(deps, trx, { customerId, kind: event, caller })
    const params = { fullName, tries: TRIES.points, minutes: TRIES.seconds / 60 }
    if (mailed) await sendMail(deps, trx, { to: email, customerId, kind: mail, params })
  })
}

export const noteFailureJob = defineJob({ name: 'identity.note_failure', payload: failure, work: noteFailure })
