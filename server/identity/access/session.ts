import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Context } from 'hono'
import { callerOf } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { type CookieNames, cookieOptions } from '#server/platform/http/cookies.ts'
import { firstLanguage } from '#server/bank/web-app/page-language.ts'
import { siteOfSource, sourceOf } from '#server/platform/http/rate-limit.ts'
import type { Entry } from '#server/identity/sessions/begin-session.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { findSession, lastHolder, SESSION_MS } from '#server/identity/sessions/sessions.ts'
import { digestOfGiven } from '#server/platform/secrets/token.ts'

/** The longest that browsers keep a cookie (RFC 6265bis, section 5.5), in seconds. */
const REMEMBERED_SECONDS = 400 * 24 * 60 * 60

/** Hands the browser its session. */
export function writeSessionCookie(c: Context<ApiEnv>, token: string): void {
  const { config, cookies } = c.get('deps')
  setCookie(c, cookies.session, token, { ...cookieOptions(config), maxAge: SESSION_MS / 1000 })
}

export function clearSessionCookie(c: Context<ApiEnv>): void {
  const { config, cookies } = c.get('deps')
  deleteCookie(c, cookies.session, cookieOptions(config))
}

/** The session that the request's cookie speaks of, whether or not there is one. */
export function sessionIn(c: Context<ApiEnv>): string | null {
  const known = c.get('sessionInCookie')
  if (known !== undefined) return known
  const session = digestOfGiven(cookieIn(c, 'session'))
  c.set('sessionInCookie', session)
  return session
}

/**
 * The customer whose session it was when this server last looked it up. Null for one that it has not met: a cookie that
 * somebody made up names nobody.
 */
export function knownCustomerIn(c: Context<ApiEnv>): string | null {
  const session = sessionIn(c)
  return session && lastHolder(c.get('deps'), session)
}

function cookieIn(c: Context<ApiEnv>, kind: keyof CookieNames): string | undefined {
  return getCookie(c, c.get('deps').cookies[kind])
}

/** What names the browser that asks in the database, whoever is signed in there. Null where it has no such cookie. */
export function deviceIn(c: Context<ApiEnv>): string | null {
  return digestOfGiven(cookieIn(c, 'device'))
}

/** Who asks, as a service is told it. */
export function clientOf(c: Context<ApiEnv>): Client {
  return {
    caller: callerOf(c),
    source: sourceOf(c),
    site: siteOfSource(c),
    session: sessionIn(c),
    visitor: digestOfGiven(cookieIn(c, 'visitor')),
    deviceToken: deviceIn(c) === null ? null : (cookieIn(c, 'device') ?? null),
    language: firstLanguage(c, c.get('deps')),
    key: c.get('key'),
  }
}

/** Hands the browser the session of whoever has signed in on it, and what names it as a device of theirs. */
export function writeEntry(c: Context<ApiEnv>, { token, deviceToken }: Entry): void {
  writeSessionCookie(c, token)
  if (deviceToken !== null) remember(c, 'device', deviceToken)
}

/** Has the browser remember the sample customer that was opened in it. */
export function writeVisitor(c: Context<ApiEnv>, token: string | null): void {
  if (token !== null) remember(c, 'visitor', token)
}

function remember(c: Context<ApiEnv>, kind: 'visitor' | 'device', value: string): void {
  const { config, cookies } = c.get('deps')
  setCookie(c, cookies[kind], value, { ...cookieOptions(config), maxAge: REMEMBERED_SECONDS })
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
    /** What `sessionIn` has found, so that it is worked out once. */
    sessionInCookie: string | null | undefined
  }
}
