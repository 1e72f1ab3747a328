import { Secret, TOTP } from 'otpauth'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import { countRequest, type Limit, limiterFor } from '#server/platform/http/rate-limit.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { isKnownDevice } from '#server/identity/sessions/known-devices.ts'
import { takeRecoveryCode } from '#server/identity/two-factor/recovery-codes.ts'
import { unseal } from '#server/platform/secrets/sealed.ts'
import { tokenDigestOf } from '#server/platform/secrets/token.ts'

/** The parameters that every authenticator app supports (RFC 6238): six digits of HMAC-SHA-1, renewed every 30 seconds. */
const APP = { issuer: 'Alder', algorithm: 'SHA1', digits: 6, period: 30 } as const

/** The codes of the previous and the next step also count, for inaccurate clocks and slow typing. */
const WINDOW = 1

/**
 * The number of attempts that are allowed within a window, and the length of the window in seconds. The window begins with the
 * first attempt. Further codes are refused until the window ends.
 */
const ATTEMPTS = { points: 5, seconds: 15 * 60 }

const LOCKS = {
  /** The lock of a sign-in from any address, by a person who has the password. */
  sign_in: { name: 'code', ...ATTEMPTS },
  /** The lock of a sign-in on a device on which the customer has signed in before. */
  known_device: { name: 'code-device', ...ATTEMPTS },
  /** The lock of a step-up within a session. */
  step_up: { name: 'code-step-up', ...ATTEMPTS },
} as const satisfies Record<string, Limit>

/** The lock and the key under which attempts are counted. The locks are independent of each other. */
export type CodeLock = { where: keyof typeof LOCKS; key: string }

/** Returns the lock for codes at sign-in. `deviceToken` is the token from the browser's cookie. */
export async function signInCodeLock(
  { db }: Pick<Deps, 'db'>,
  { id }: Pick<Customer, 'id'>,
  deviceToken: string | null,
): Promise<CodeLock> {
  const device = deviceToken === null ? null : tokenDigestOf(deviceToken)
  const isKnown = device !== null && (await isKnownDevice(db, id, device))
  return isKnown ? { where: 'known_device', key: `${id} ${device}` } : { where: 'sign_in', key: id }
}

/** Returns the lock for codes in a step-up. Its key is the session's id; a session can begin only after a sign-in. */
export function stepUpCodeLock(sessionId: string): CodeLock {
  return { where: 'step_up', key: sessionId }
}

/** Returns the TOTP generator that the bank shares with a customer's authenticator app. */
export function sharedSecret(customer: Pick<Customer, 'email'>, secret: Uint8Array): TOTP {
  // The copy is necessary: a small Buffer shares its memory with others, and the library reads that whole memory.
  return new TOTP({ ...APP, label: customer.email, secret: new Secret({ buffer: Uint8Array.from(secret).buffer }) })
}

/** Returns the time step of a code, or null if the code is not valid now. */
export function stepOfCode(deps: Pick<Deps, 'clock'>, shared: TOTP, code: string): number | null {
  const timestamp = deps.clock.realNow().getTime()
  const steps = shared.validate({ token: code, timestamp, window: WINDOW })
  return steps === null ? null : shared.counter({ timestamp }) + steps
}

export const secretName = (customerId: string) => ({ kind: 'two-factor secret', owner: customerId })

/**
 * Accepts an authenticator code once. A single statement advances the last time step, so a code that is sent several times at
 * once is accepted once.
 */
async function acceptAppCode(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  customer: Customer,
  code: string,
): Promise<boolean> {
  const twoFactorRow = await deps.db
    .selectFrom('bank.two_factor')
    .select('secret')
    .where('customer_id', '=', customer.id)
    .executeTakeFirst()
  if (!twoFactorRow) return false
  const secret = unseal(deps.config, secretName(customer.id), twoFactorRow.secret)
  const step = stepOfCode(deps, sharedSecret(customer, secret), code)
  if (step === null) return false
  const updatedRow = await deps.db
    .updateTable('bank.two_factor')
    .set({ last_step: step })
    .where('customer_id', '=', customer.id)
    .where('last_step', '<', step)
    .returning('last_step')
    .executeTakeFirst()
  return updatedRow !== undefined
}

/** Returns a code without spaces and dashes, in capitals, for comparison. */
export function plainCode(text: string): string {
  return text.replaceAll(/[\s\p{Pd}]/gu, '').toUpperCase()
}

/**
 * The result of checking a code. `accepted` is the kind of a correct code, and null for a wrong one. `locked` is true if the
 * wrong code was the last attempt before the lock.
 */
export type CodeOutcome = { accepted: 'app' | 'recovery_code' } | { accepted: null; locked: boolean }

/**
 * Accepts a code from a customer's authenticator app, or one of their recovery codes. Either works once. Every attempt counts
 * before the check, and a correct code resets the count. Throws Refusal `too_many_requests` after five wrong codes within 15
 * minutes.
 */
export async function acceptCode(
  deps: Pick<Deps, 'limiters' | 'db' | 'clock' | 'config'>,
  customer: Customer,
  text: string,
  { where, key }: CodeLock,
): Promise<CodeOutcome> {
  const attempts = limiterFor(deps, LOCKS[where])
  const tries = await countRequest(attempts, key)
  const code = plainCode(text)
  const isAppCode = /^\d{6}$/.test(code)
  const isAccepted = isAppCode
    ? await acceptAppCode(deps, customer, code)
    : await inTransaction(deps.db, (trx) => takeRecoveryCode(deps, trx, customer, code))
  if (!isAccepted) return { accepted: null, locked: tries === ATTEMPTS.points }
  await attempts.delete(key)
  return { accepted: isAppCode ? 'app' : 'recovery_code' }
}
