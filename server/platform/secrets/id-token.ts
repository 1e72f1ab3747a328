import { type Secret, secretsOf } from '#server/platform/secrets/derived-key.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'

const UUID_BYTES = 16
const MAC_BYTES = 32
const TOKEN = /^[A-Za-z0-9_-]{64}$/

function macOf(config: Secret, purpose: string, id: Buffer): Buffer {
  return createHmac('sha256', config.secret).update(`${purpose}\n`).update(id).digest()
}

/**
 * Returns a token that proves that its holder got the link to an id: the id with a MAC under the bank's secret. It is derived
 * at each use and never stored, so a leaked database gives no access.
 */
export function idToken(config: Secret, purpose: string, uuid: string): string {
  const id = Buffer.from(uuid.replaceAll('-', ''), 'hex')
  return Buffer.concat([id, macOf(config, purpose, id)]).toString('base64url')
}

/** Returns the id in a token of that purpose; null if the bank did not make the token. */
export function idOfToken(config: Secret, purpose: string, token: string): string | null {
  if (!TOKEN.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const id = bytes.subarray(0, UUID_BYTES)
  const mac = bytes.subarray(UUID_BYTES, UUID_BYTES + MAC_BYTES)
  if (!secretsOf(config).some((secret) => timingSafeEqual(mac, macOf(secret, purpose, id)))) return null
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
