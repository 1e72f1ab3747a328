import { createHmac } from 'node:crypto'
import type { Origin } from '#server/platform/http/origin.ts'
import { firstSecret, type Secret } from '#server/platform/secrets/derived-key.ts'

/** What the bank's cookies are called: the one with a session's token, and those that name a visitor and a device. */
export type CookieNames = Readonly<Record<'session' | 'visitor' | 'device', string>>

declare module '#server/platform/deps.ts' {
  interface Core {
    cookies: CookieNames
  }
}

/**
 * Browsers keep one jar of cookies for all ports of localhost; each bank has names of its own in it. __Host- binds a
 * cookie to this host and to https, which http://localhost cannot offer.
 */
export function cookieNames(config: Origin & Secret): CookieNames {
  const named = (kind: keyof CookieNames, name: string): string =>
    isSecure(config)
      ? `__Host-${name}`
      : `${name}-${createHmac('sha256', firstSecret(config).secret).update(`${kind} cookie`).digest('hex').slice(0, 8)}`
  return {
    session: named('session', 'alder'),
    visitor: named('visitor', 'alder-visitor'),
    device: named('device', 'alder-device'),
  }
}

export function cookieOptions(config: Origin) {
  return { path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure(config) } as const
}

function isSecure(config: Origin): boolean {
  return config.origin?.startsWith('https:') ?? false
}
