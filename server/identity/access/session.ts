import { createHmac } from 'node:crypto'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Context } from 'hono'
import type { Config } from '#server/platform/config.ts'
import { callerOf } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { sourceOf } from '#server/platform/http/rate-limit.ts'
import type { Entry } from '#server/identity/sessions/begin-session.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { withKnownDevice } from '#server/identity/sessions/known-devices.ts'
import { findSession, SESSION_MS, type SignInMethod } from '#server/identity/sessions/sessions.ts'
import { digestOfGiven } from '#server/platform/secrets/token.ts'

const COOKIES = { session: 'alder', visitor: 'alder-visitor', device: 'alder-device' } as const

/** The longest that browsers keep a cookie (RFC 6265bis, section 5.5), in seconds. */
const REMEMBERED_SECONDS = 400 * 24 * 60 * 60

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
  return digestOfGiven(cookieIn(c, 'session'))
}

function cookieIn(c: Context<ApiEnv>, kind: keyof typeof COOKIES): string | undefined {
  return getCookie(c, cookieName(c.get('deps').config, kind))
}

/** Who asks, as a service is told it. */
export function clientOf(c: Context<ApiEnv>): Client {
  return {
    caller: callerOf(c),
    source: sourceOf(c),
    session: sessionIn(c),
    visitor: digestOfGiven(cookieIn(c, 'visitor')),
    knownDevice: cookieIn(c, 'device'),
    key: c.get('key'),
  }
}

/** Ways in by which nobody has shown who they are: the device is none of theirs for that. */
const UNPROVED: ReadonlySet<SignInMethod> = new Set(['visit', 'biometric'])

/** Hands the browser the session of whoever has signed in on it. */
export function writeEntry(c: Context<ApiEnv>, { customerId, method, token }: Entry): void {
  writeSessionCookie(c, token)
  if (UNPROVED.has(method)) return
  const { config } = c.get('deps')
  remember(c, 'device', withKnownDevice(config, cookieIn(c, 'device'), customerId))
}

/** Has the browser remember the sample customer that was opened in it. */
export function writeVisitor(c: Context<ApiEnv>, token: string | null): void {
  if (token !== null) remember(c, 'visitor', token)
}

function remember(c: Context<ApiEnv>, kind: 'visitor' | 'device', value: string): void {
  const { config } = c.get('deps')
  setCookie(c, cookieName(config, kind), value, { ...cookieOptions(config), maxAge: REMEMBERED_SECONDS })
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
