import { z } from 'zod'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, type Run, runOn } from '#server/platform/db/run.ts'
import { type Caller, callerShape } from '#server/platform/http/caller.ts'
import { count, countedAs, limiterFor } from '#server/platform/http/rate-limit.ts'
import { CUSTOMER_COLUMNS, type Customer, customerOf, type CustomerRow } from '#server/identity/customers/customers.ts'
import { mayMail } from '#server/identity/passwords/mail-limit.ts'
import { hashPassword, isOutdated, verifyPassword } from '#server/identity/passwords/passwords.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { sendMail } from '#server/mail/service.ts'

/** Five failures, and the password of that email is not looked at for 15 minutes: of real time, from any address. */
const LOCK = { name: 'password', points: 5, seconds: 15 * 60 }

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

/**
 * What tries count under. Who has not confirmed an email may have signed up with somebody else's, so theirs are counted
 * apart: what they know of their own password opens no lock of another's, and what they get wrong closes none.
 */
function lockedAs(email: string, holder: Holder | null): string {
  return holder && !holder.customer.emailConfirmed ? holder.customer.id : email
}

/**
 * Compares a password with the holder's, behind the lock of their email. A try is counted before anything is compared,
 * so that of a hundred at once five are. Nothing tells whether the email has a holder: the same is counted, computed
 * and written where it has none.
 * Answers the holder. Throws Refusal `credentials_wrong`, `too_many_requests` while the password is locked, also for the right one, and
 * `unavailable` where too many passwords are being compared, which does not count.
 */
export async function checkPassword(
  deps: Pick<Deps, 'pool' | 'limiters' | 'config'>,
  { email, password, holder, caller }: { email: string; password: string; holder: Holder | null; caller: Caller },
): Promise<Holder> {
  const limiter = limiterFor(deps, LOCK)
  const key = countedAs(deps, lockedAs(email, holder))
  const tries = await count(limiter, key)
  const right = await verifyPassword(password, holder?.passwordHash ?? null).catch(async (error: unknown) => {
    await limiter.reward(key)
    throw error
  })
  if (right && holder) {
    await limiter.delete(key)
    return holder
  }
  const locked = tries >= LOCK.points
  if (locked) await limiter.block(key, LOCK.seconds)
  const noted: Failure = { customerId: holder?.customer.id ?? null, caller, locked }
  await enqueue(runOn(deps.pool), noteFailureJob, noted)
  throw new Refusal('credentials_wrong')
}

/** Opens the lock: whoever has just chosen a new password is not kept out by tries with the old one. */
export async function openLock(deps: Pick<Deps, 'limiters' | 'config'>, email: string): Promise<void> {
  await limiterFor(deps, LOCK).delete(countedAs(deps, email))
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

const failure = z.object({ customerId: z.uuid().nullable(), caller: callerShape, locked: z.boolean() })
type Failure = z.infer<typeof failure>

/**
 * Tells a customer of a try that failed. Done afterwards: whoever waits for the answer must not see by its time that
 * there is somebody to tell.
 */
async function noteFailure(deps: Deps, { customerId, caller, locked }: Failure): Promise<void> {
  const holder = customerId && (await holderById(runOn(deps.pool), customerId))
  if (!holder) return
  const { id, email, emailConfirmed } = holder.customer
  const mailed = locked && emailConfirmed && (await mayMail(deps, 'lock', email))
  await inTransaction(deps.db, async (_trx, run) => {
    await recordSecurityEvent(deps, run, { customerId: id, kind: 'sign_in_failed', caller })
    if (locked) await recordSecurityEvent(deps, run, { customerId: id, kind: 'password_locked', caller })
    if (mailed) await sendMail(deps, run, { to: email, customerId: id, ...lockedMail(holder.customer) })
  })
}

function lockedMail({ fullName }: Pick<Customer, 'fullName'>) {
  return {
    subject: 'Your password was locked for a while',
    text: [
      `Hello ${fullName},`,
      `Somebody tried ${LOCK.points} wrong passwords for your account. For ${LOCK.seconds / 60} minutes no password is accepted, not even the right one; passkeys still work.`,
      'If it was you, wait a little or choose a new password with "Forgot Password?" on the sign-in page. If it was not, they have not got in, and there is nothing you need to do.',
    ].join('\n\n'),
  }
}

export const noteFailureJob = defineJob({ name: 'identity.note_failure', payload: failure, work: noteFailure })
