import { firstSecret, type Secret } from '#server/platform/secrets/derived-key.ts'
import { createECDH, ECDH, hkdfSync } from 'node:crypto'

const CURVE = 'prime256v1'

export type VapidKeys = { publicKey: string; privateKey: string }

/**
 * Derives the keys that sign the bank's push messages (RFC 8292), in base64url. They derive from the bank's secret, so they
 * need no configuration and all servers have the same ones. Browsers subscribe to one key. The keys therefore derive from the
 * bank's first secret, and stay the same when the secret changes.
 */
export function vapidKeys(config: Secret): VapidKeys {
  const keys = createECDH(CURVE)
  // One in four billion 256-bit numbers is not a valid private key of this curve. `setPrivateKey` throws for such a number.
  const privateKey = Buffer.from(hkdfSync('sha256', firstSecret(config).secret, '', 'alder web push', 32))
  keys.setPrivateKey(privateKey)
  // The derived bytes are returned as they are. getPrivateKey drops leading zeros, which one key in 256 has, and such a key
  // cannot sign.
  return { publicKey: keys.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') }
}

/** Returns whether a browser's key is a point on the curve. Messages can only be encrypted with such a key. */
export function isCurvePoint(p256dh: string): boolean {
  try {
    return ECDH.convertKey(p256dh, CURVE, 'base64url', 'base64url', 'uncompressed') === p256dh
  } catch {
    return false
  }
}
