import { createHmac } from 'node:crypto'
import type { PublicAddress } from '#server/platform/http/origin.ts'
import { firstSecret, type Secret } from '#server/platform/secrets/derived-key.ts'

/** The names of the bank's cookies: the one with a session's token, and those that identify a visitor and a device. */
export type CookieNames = Readonly<Record<'session' | 'visitor' | 'device', string>>

declare module '#server/platform/deps.ts' {
  interface Core {
    cookies: CookieNames
  }
}

/**
 * Returns the names of the bank's cookies. Browsers keep one set of cookies for all ports of localhost, so each bank has its
 * own names there. __Host- binds a cookie to this host and to https, which http://localhost does not offer.
 */
export function cookieNames(config: PublicAddress & Secret): CookieNames {
  const cookieName = (kind: keyof CookieNames, name: string): string =>
    isSecure(config)
      ? `__Host-${name}`
      : `${name}-${createHmac('sha256', firstSecret(config).secret).update(`${kind} cookie`).digest('hex').slice(0, 8)}`
  return {
    session: cookieName('session', 'alder'),
    visitor: cookieName('visitor', 'alder-visitor'),
    device: cookieName('device', 'alder-device'),
  }
}

export function cookieOptions(config: PublicAddress) {
  return { path: '/', httpOnly: true, sameSite: 'Lax', secure: isSecure(config) } as const
}

function isSecure(config: PublicAddress): boolean {
  return config.origin?.startsWith('https:') ?? false
}
