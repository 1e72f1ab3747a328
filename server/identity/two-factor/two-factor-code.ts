import { Secret, TOTP } from 'otpauth'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import { count, type Limit, limiterFor } from '#server/platform/http/rate-limit.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { isKnownDevice } from '#server/identity/sessions/known-devices.ts'
import { takeRecoveryCode } from '#server/identity/two-factor/recovery-codes.ts'
import { unseal } from '#server/platform/secrets/sealed.ts'
import { digestOf } from '#server/platform/secrets/token.ts'

/** What every authenticator app can do (RFC 6238): six digits of HMAC-SHA-1, new ones every 30 seconds. */
const APP = { issuer: 'Alder', algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Codes of the step before and the step after count too, for clocks that differ and fingers that take their time. */
const WINDOW = 1

/** Codes that may be wrong, and for how long then none is looked at. */
const ATTEMPTS = { points: 5, seconds: 15 * 60 }

const LOCKS = {
  /** By somebody who knows the password, from any address. */
  sign_in: { name: 'code', ...ATTEMPTS },
  /** The same on a device the customer has signed in on before. */
  known_device: { name: 'code-device', ...ATTEMPTS },
  /** In a session, by somebody who is signed in. */
  step_up: { name: 'code-step-up', ...ATTEMPTS },
} as const satisfies Record<string, Limit>

/** Where tries are counted, and under what. Each lock is its own: none of them closes or opens another. */
export type CodeLock = { where: keyof typeof LOCKS; key: string }

/** What codes at sign-in count under. `deviceToken`: what the browser's cookie says. */
export async function signInCodeLock(
  { db }: Pick<Deps, 'db'>,
  { id }: Pick<Customer, 'id'>,
  deviceToken: string | null,
): Promise<CodeLock> {
  const device = deviceToken === null ? null : digestOf(deviceToken)
  const known = device !== null && (await isKnownDevice(db, id, device))
  return known ? { where: 'known_device', key: `${id} ${device}` } : { where: 'sign_in', key: id }
}

/** What codes that confirm a request count under: the session's id, which only a proof can begin. */
export function stepUpCodeLock(sessionId: string): CodeLock {
  return { where: 'step_up', key: sessionId }
}

/** What the bank and a customer's authenticator app share. */
export function sharedSecret(customer: Pick<Customer, 'email'>, secret: Uint8Array): TOTP {
  // A copy, since a small Buffer is a part of a larger one and the library takes the whole.
  return new TOTP({ ...APP, label: customer.email, secret: new Secret({ buffer: Uint8Array.from(secret).buffer }) })
}

/** The time step whose code this is, or null where it is of none that counts now. */
export function stepOfCode(deps: Pick<Deps, 'clock'>, shared: TOTP, code: string): number | null {
  const timestamp = deps.clock.realNow().getTime()
  const steps = shared.validate({ token: code, timestamp, window: WINDOW })
  return steps === null ? null : shared.counter({ timestamp }) + steps
}

export const secretName = (customerId: string) => ({ kind: 'two-factor secret', owner: customerId })

/** One statement moves the last step on, so that a code sent many times at once is accepted once. */
async function acceptAppCode(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  customer: Customer,
  code: string,
): Promise<boolean> {
  const known = await deps.db
    .selectFrom('bank.two_factor')
    .select('secret')
    .where('customer_id', '=', customer.id)
    .executeTakeFirst()
  if (!known) return false
  const secret = unseal(deps.config, secretName(customer.id), known.secret)
  const step = stepOfCode(deps, sharedSecret(customer, secret), code)
  if (step === null) return false
  const moved = await deps.db
    .updateTable('bank.two_factor')
    .set({ last_step: step })
    .where('customer_id', '=', customer.id)
    .where('last_step', '<', step)
    .returning('last_step')
    .executeTakeFirst()
  return moved !== undefined
}

/** A code as it is compared, however it was spaced and spelled. */
export function plainCode(text: string): string {
  return text.replaceAll(/[\s\p{Pd}]/gu, '').toUpperCase()
}

/** What a code turned out to be; `locked`: it was wrong, and the last one that is looked at for a while. */
export type CodeOutcome = { accepted: 'app' | 'recovery_code' } | { accepted: null; locked: boolean }

/**
 * Takes a code of a customer's authenticator app, or one of their recovery codes; either works once. Every try counts
 * before anything is looked at, and one that is right clears the count.
 * Throws Refusal `too_many_requests` once five were wrong within 15 minutes.
 */
export async function acceptCode(
  deps: Pick<Deps, 'limiters' | 'db' | 'clock' | 'config'>,
  customer: Customer,
  text: string,
  { where, key }: CodeLock,
): Promise<CodeOutcome> {
  const attempts = limiterFor(deps, LOCKS[where])
  const tries = await count(attempts, key)
  const code = plainCode(text)
  const ofApp = /^\d{6}$/.test(code)
  const accepted = ofApp
    ? await acceptAppCode(deps, customer, code)
    : await inTransaction(deps.db, (trx) => takeRecoveryCode(deps, trx, customer, code))
  if (!accepted) return { accepted: null, locked: tries === ATTEMPTS.points }
  await attempts.delete(key)
  return { accepted: ofApp ? 'app' : 'recovery_code' }
}
