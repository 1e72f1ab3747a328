import { createHmac } from 'node:crypto'
import type { Config } from '#server/platform/config.ts'

const COOKIES = { session: 'alder', visitor: 'alder-visitor', device: 'alder-device' } as const

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
