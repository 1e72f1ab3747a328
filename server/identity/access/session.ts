import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Context } from 'hono'
import { callerOf } from '#server/platform/http/caller.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { type CookieNames, cookieOptions } from '#server/platform/http/cookies.ts'
import { firstLanguage } from '#server/bank/web-app/page-language.ts'
import { siteKeyOf, networkKeyOf } from '#server/platform/http/rate-limit.ts'
import type { SessionCookies } from '#server/identity/sessions/begin-session.ts'
import type { Client } from '#server/identity/sessions/client.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { findSession, lastHolder, SESSION_MS } from '#server/identity/sessions/sessions.ts'
import { digestOfGivenToken } from '#server/platform/secrets/token.ts'

/** The longest time that browsers keep a cookie (RFC 6265bis, section 5.5), in seconds. */
const REMEMBERED_SECONDS = 400 * 24 * 60 * 60

/** Sets the session cookie. */
export function writeSessionCookie(c: Context<ApiEnv>, token: string): void {
  const { config, cookies } = c.get('deps')
  setCookie(c, cookies.session, token, { ...cookieOptions(config), maxAge: SESSION_MS / 1000 })
}

export function clearSessionCookie(c: Context<ApiEnv>): void {
  const { config, cookies } = c.get('deps')
  deleteCookie(c, cookies.session, cookieOptions(config))
}

/** Returns the digest of the request's session cookie, or null without the cookie. The session itself need not exist. */
export function sessionIn(c: Context<ApiEnv>): string | null {
  const sessionInCookie = c.get('sessionInCookie')
  if (sessionInCookie !== undefined) return sessionInCookie
  const session = digestOfGivenToken(cookieIn(c, 'session'))
  c.set('sessionInCookie', session)
  return session
}

/**
 * Returns the customer of the session from this server's last look-up. Returns null if this server has not seen the session,
 * for example because the cookie was forged.
 */
export function findKnownCustomer(c: Context<ApiEnv>): string | null {
  const session = sessionIn(c)
  return session && lastHolder(c.get('deps'), session)
}

function cookieIn(c: Context<ApiEnv>, kind: keyof CookieNames): string | undefined {
  return getCookie(c, c.get('deps').cookies[kind])
}

/**
 * Returns the digest that identifies the browser in the database. The digest is the same for each customer who signs in on the
 * browser. Returns null without the device cookie.
 */
export function deviceIn(c: Context<ApiEnv>): string | null {
  return digestOfGivenToken(cookieIn(c, 'device'))
}

/** Returns the client's data (address, session, device, language) for services. */
export function clientOf(c: Context<ApiEnv>): Client {
  return {
    caller: callerOf(c),
    source: networkKeyOf(c),
    site: siteKeyOf(c),
    session: sessionIn(c),
    visitor: digestOfGivenToken(cookieIn(c, 'visitor')),
    deviceToken: deviceIn(c) === null ? null : (cookieIn(c, 'device') ?? null),
    language: firstLanguage(c, c.get('deps')),
    key: c.get('key'),
  }
}

/** Sets the session cookie after a sign-in. Also sets or renews the device cookie if there is a token for it. */
export function writeEntry(c: Context<ApiEnv>, { token, deviceToken }: SessionCookies): void {
  writeSessionCookie(c, token)
  if (deviceToken !== null) remember(c, 'device', deviceToken)
}

/** Sets the cookie that identifies the sample customer of this browser. */
export function writeVisitor(c: Context<ApiEnv>, token: string | null): void {
  if (token !== null) remember(c, 'visitor', token)
}

function remember(c: Context<ApiEnv>, kind: 'visitor' | 'device', value: string): void {
  const { config, cookies } = c.get('deps')
  setCookie(c, cookies[kind], value, { ...cookieOptions(config), maxAge: REMEMBERED_SECONDS })
}

/** Returns the signed-in customer and their session, or null. */
export async function visitorIn(c: Context<ApiEnv>): Promise<{ session: string; customer: Customer } | null> {
  const session = sessionIn(c)
  const customer = session && (await findSession(c.get('deps'), session))
  return session && customer ? { session, customer } : null
}

declare module '#server/platform/http/context.ts' {
  interface ApiVariables {
    /** The signed-in customer. Set on every route except public ones (route.ts). */
    customer: Customer
    /** The session's id in the database: the digest of its token. Set wherever `customer` is. */
    session: string
    /** The result of `sessionIn`, cached for the request. */
    sessionInCookie: string | null | undefined
  }
}
