import { createHmac, timingSafeEqual } from 'node:crypto'

/** The greatest allowed difference between a signed message's time and now, in seconds. */
const TOLERANCE_SECONDS = 5 * 60

export type Signed = { timestamp: string; signature: string }

/** Returns the HMAC-SHA-256 of the time (Unix seconds), a full stop and the body, in hexadecimal. */
function signatureOf(secret: string, timestamp: string, body: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
}

export function sign(secret: string, body: string, now: Date): Signed {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  return { timestamp, signature: signatureOf(secret, timestamp, body) }
}

/** Returns whether `body` was signed with the secret, within five minutes of `now`. */
export function isSigned(secret: string, body: string, { timestamp, signature }: Signed, now: Date): boolean {
  if (!/^\d{1,12}$/.test(timestamp) || !/^[0-9a-f]{64}$/.test(signature)) return false
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(secret, timestamp, body)))
}
