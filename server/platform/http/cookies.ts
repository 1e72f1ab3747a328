import { createHmac } from 'node:crypto'
import type { Config } from '#server/platform/config.ts'

/** What the bank's cookies are called: the one with a session's token, and those that name a visitor and a device. */
export type CookieNames = Readonly<Record<'session' | 'visitor' | 'device', string>>

declare module '#server/platform/deps.ts' {
  interface Deps {
    cookies: CookieNames
  }
}

/**
 * Browsers keep one jar of cookies for all ports of localhost; each bank has names of its own in it. __Host- binds a
 * cookie to this host and to https, which http://localhost cannot offer.
 */
export function cookieNames(config: Pick<Config, 'origin' | 'secret'>): CookieNames {
  const named = (kind: keyof CookieNames, name: string): string =>
    isSecure(config)
      ? `__Host-${name}`
      : `${name}-${createHmac('sha256', config.secret).update(`${kind} cookie`).digest('hex').slice(0, 8)}`
  return {
    session: named('session', 'alder'),
    visitor: named('visitor', 'alder-visitor'),
    device: named('device', 'alder-device'),
  }
}

export function cookieOptions(config: Pick<Config, 'origin'>) {
  return { path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure(config) } as const
}

function isSecure(config: Pick<Config, 'origin'>): boolean {
  return config.origin?.startsWith('https:') ?? false
}
