import { firstSecret, type Secret } from '#server/platform/secrets/derived-key.ts'
import { createECDH, ECDH, hkdfSync } from 'node:crypto'

const CURVE = 'prime256v1'

export type VapidKeys = { publicKey: string; privateKey: string }

/**
 * What the bank's messages are signed with (RFC 8292), base64url. Derived from its secret, so that there is nothing to
 * configure, and all servers of a bank have the same. Browsers are subscribed to one key, so it follows from the first secret.
 */
export function vapidKeys(config: Secret): VapidKeys {
  const keys = createECDH(CURVE)
  // Of all 256 bits, one number in four billion is no key of this curve; this throws for it.
  const privateKey = Buffer.from(hkdfSync('sha256', firstSecret(config).secret, '', 'alder web push', 32))
  keys.setPrivateKey(privateKey)
  // As it was derived: getPrivateKey leaves out the zeros that one in 256 begins with, and nothing can be signed with those.
  return { publicKey: keys.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') }
}

/** Whether a browser's key is a point on the curve: a message can be encrypted with no other. */
export function isCurvePoint(p256dh: string): boolean {
  try {
    return ECDH.convertKey(p256dh, CURVE, 'base64url', 'base64url', 'uncompressed') === p256dh
  } catch {
    return false
  }
}
