import { createMiddleware } from 'hono/factory'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { matchedRoutes } from 'hono/route'
import type { Context } from 'hono'
import { Refusal } from '#contract/errors.ts'
import type { Config } from '#server/config.ts'
import type { BankEnv } from '#server/http/context.ts'
import type { Customer } from '#server/identity/customers.ts'
import { findSession, SESSION_MS, sessionOf } from '#server/identity/sessions.ts'

const NAME = 'alder'

/** __Host- binds the cookie to this host and to https, which http://localhost cannot offer. */
function cookieOptions(config: Pick<Config, 'origin'>) {
  const kept = { path: '/', httpOnly: true, sameSite: 'Lax' } as const
  return isSecure(config) ? ({ ...kept, secure: true, prefix: 'host' } as const) : kept
}

function isSecure(config: Pick<Config, 'origin'>): boolean {
  return config.origin?.startsWith('https:') ?? false
}

/** Hands the browser its session. */
export function writeSessionCookie(c: Context<BankEnv>, token: string): void {
  setCookie(c, NAME, token, { ...cookieOptions(c.get('bank').config), maxAge: SESSION_MS / 1000 })
}

export function clearSessionCookie(c: Context<BankEnv>): void {
  deleteCookie(c, NAME, cookieOptions(c.get('bank').config))
}

/** The session that the request's cookie speaks of, whether or not there is one. */
export function sessionIn(c: Context<BankEnv>): string | null {
  return sessionOf(isSecure(c.get('bank').config) ? getCookie(c, NAME, 'host') : getCookie(c, NAME))
}

/** Who asks, or null. */
export async function visitorIn(c: Context<BankEnv>): Promise<{ session: string; customer: Customer } | null> {
  const session = sessionIn(c)
  const customer = session && (await findSession(c.get('bank'), session))
  return session && customer ? { session, customer } : null
}

/** The routes of the API that answer without a session. Every other one asks for it, the ones yet to be written too. */
function isPublic(method: string, path: string): boolean {
  if (path === '/api/v1/session' || path === '/api/v1/session/visit') return true
  return method === 'GET' && path.startsWith('/api/v1/claims/')
}

/** Lets signed-in customers through. Throws Refusal `sign_in_required`, or `not_found` where there is nothing to sign in for. */
export const requireSession = createMiddleware<BankEnv>(async (c, next) => {
  if (!isPublic(c.req.method, c.req.path)) {
    const visitor = await visitorIn(c)
    if (!visitor) {
      const exists = matchedRoutes(c).some(({ method }) => method !== 'ALL')
      throw new Refusal(exists ? 'sign_in_required' : 'not_found')
    }
    c.set('customer', visitor.customer)
    c.set('session', visitor.session)
  }
  return next()
})
