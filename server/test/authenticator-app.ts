import { TOTP } from 'otpauth'
import type { Clock } from '#server/platform/clock.ts'

/** Opens an authenticator app with the content of the bank's QR code. */
export function openApp(uri: string, clock: Pick<Clock, 'realNow'>) {
  const parts = new URL(uri).searchParams
  const read = (name: string): string => parts.get(name) ?? ''
  const totp = new TOTP({
    secret: read('secret'),
    algorithm: read('algorithm'),
    digits: Number(read('digits')),
    period: Number(read('period')),
  })
  return {
    /** Returns the current code, or the code a number of 30-second steps away. */
    code: (steps = 0): string => totp.generate({ timestamp: clock.realNow().getTime() + steps * 30_000 }),
  }
}
