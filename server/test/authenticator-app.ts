import { TOTP } from 'otpauth'
import type { Clock } from '#server/platform/clock.ts'

/** An authenticator app that has read the bank's QR code. */
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
    /** The code it shows now, or so many steps of 30 seconds from now. */
    code: (steps = 0): string => totp.generate({ timestamp: clock.realNow().getTime() + steps * 30_000 }),
  }
}
