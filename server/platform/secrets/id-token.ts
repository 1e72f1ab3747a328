import { type Secret, secretsOf } from '#server/platform/secrets/derived-key.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'

const UUID_BYTES = 16
const MAC_BYTES = 32
const TOKEN = /^[A-Za-z0-9_-]{64}$/

function macOf(config: Secret, purpose: string, id: Buffer): Buffer {
  return createHmac('sha256', config.secret).update(`${purpose}\n`).update(id).digest()
}

/**
 * What proves that somebody was given the link to something with this id: the id and a MAC of it under the bank's secret.
 * It is derived whenever it is needed and stored nowhere, so the database alone opens nothing.
 */
export function idToken(config: Secret, purpose: string, uuid: string): string {
  const id = Buffer.from(uuid.replaceAll('-', ''), 'hex')
  return Buffer.concat([id, macOf(config, purpose, id)]).toString('base64url')
}

/** The id a token of that purpose speaks for, or null for one the bank did not make. */
export function idOfToken(config: Secret, purpose: string, token: string): string | null {
  if (!TOKEN.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const id = bytes.subarray(0, UUID_BYTES)
  const mac = bytes.subarray(UUID_BYTES, UUID_BYTES + MAC_BYTES)
  if (!secretsOf(config).some((one) => timingSafeEqual(mac, macOf(one, purpose, id)))) return null
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
