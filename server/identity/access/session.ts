import { createHmac } from 'node:crypto'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Context } from 'hono'
import type { SecurityEventKind } from '#contract/identity.ts'
import type { Config } from '#server/platform/config.ts'
import { inTransaction, type Run } from '#server/platform/db/run.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { recordSecurityEvent } from '#server/identity/sessions/security-events.ts'
import {
  createSession,
  endSession,
  findSession,
  SESSION_MS,
  type SignInMethod,
} from '#server/identity/sessions/sessions.ts'
import { digestOfGiven } from '#server/platform/secrets/token.ts'

const COOKIES = { session: 'alder', visitor: 'alder-visitor' } as const

/**
 * Browsers keep one jar of cookies for all ports of localhost; each bank has names of its own in it. __Host- binds a
 * cookie to this host and to https, which http://localhost cannot offer.
 */
export function cookieName(config: Pick<Config, 'origin' | 'secret'>, kind: keyof typeof COOKIES): string {
  const name = COOKIES[kind]
  if (isSecure(config)) return `__Host-${name}`
  return `${name}-${createHmac('sha256', config.secret).update(`${kind} cookie`).digest('hex').slice(0, 8)}`
}

/** What the cookie is called that a session's token travels in. */
export const sessionCookieName = (config: Pick<Config, 'origin' | 'secret'>) => cookieName(config, 'session')

export function cookieOptions(config: Pick<Config, 'origin'>) {
  return { path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure(config) } as const
}

function isSecure(config: Pick<Config, 'origin'>): boolean {
  return config.origin?.startsWith('https:') ?? false
}

/** Hands the browser its session. */
export function writeSessionCookie(c: Context<ApiEnv>, token: string): void {
  const { config } = c.get('deps')
  setCookie(c, sessionCookieName(config), token, { ...cookieOptions(config), maxAge: SESSION_MS / 1000 })
}

export function clearSessionCookie(c: Context<ApiEnv>): void {
  const { config } = c.get('deps')
  deleteCookie(c, sessionCookieName(config), cookieOptions(config))
}

/** The session that the request's cookie speaks of, whether or not there is one. */
export function sessionIn(c: Context<ApiEnv>): string | null {
  return digestOfGiven(getCookie(c, sessionCookieName(c.get('deps').config)))
}

/**
 * Signs a customer in on the browser that asks: a new session, and the one it had before is over. `first` is done in
 * the same SQL transaction; where it throws, all stays as it was.
 */
export async function beginSession(
  c: Context<ApiEnv>,
  customerId: string,
  method: SignInMethod,
  first?: (run: Run) => Promise<void>,
): Promise<void> {
  const deps = c.get('deps')
  const before = sessionIn(c)
  const { token } = await inTransaction(deps.db, async (_trx, run) => {
    await first?.(run)
    if (before) await endSession(run, before)
    const caller = callerOf(c)
    const kind = EVENTS[method]
    if (kind) await recordSecurityEvent(deps, run, { customerId, kind, caller })
    return createSession(deps, run, { customerId, caller, method })
  })
  writeSessionCookie(c, token)
}

/** What a customer reads of each way in. A visit is not worth a line. */
const EVENTS: Record<SignInMethod, SecurityEventKind | null> = {
  visit: null,
  sign_up: 'signed_up',
  password: 'signed_in_with_password',
  passkey: 'signed_in_with_passkey',
  biometric: 'signed_in_with_biometric',
  recovery_code: 'signed_in_with_recovery_code',
}

/** Who asks, or null. */
export async function visitorIn(c: Context<ApiEnv>): Promise<{ session: string; customer: Customer } | null> {
  const session = sessionIn(c)
  const customer = session && (await findSession(c.get('deps'), session))
  return session && customer ? { session, customer } : null
}

declare module '#server/platform/http/context.ts' {
  interface ApiVariables {
    /** Who asks. Set on every route that is not for anybody (route.ts). */
    customer: Customer
    /** What names the session in the database: the digest of its token. Set wherever `customer` is. */
    session: string
  }
}
