import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from '#server/platform/config.ts'
import { linkTo } from '#server/mail/link.ts'

const UUID_BYTES = 16
const MAC_BYTES = 32
const TOKEN = /^[A-Za-z0-9_-]{64}$/

function macOf(config: Pick<Config, 'secret'>, id: Buffer): Buffer {
  return createHmac('sha256', config.secret).update('payment claim\n').update(id).digest()
}

/**
 * What proves that somebody was given the link to a payment: the operation's id and a MAC of it under the bank's
 * secret. It is derived whenever it is needed and stored nowhere, so the database alone opens no claim.
 */
export function claimToken(config: Pick<Config, 'secret'>, operationId: string): string {
  const id = Buffer.from(operationId.replaceAll('-', ''), 'hex')
  return Buffer.concat([id, macOf(config, id)]).toString('base64url')
}

/** The operation a token speaks for, or null for one the bank did not make. */
export function operationOfClaimToken(config: Pick<Config, 'secret'>, token: string): string | null {
  if (!TOKEN.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  const id = bytes.subarray(0, UUID_BYTES)
  const mac = bytes.subarray(UUID_BYTES, UUID_BYTES + MAC_BYTES)
  if (!timingSafeEqual(mac, macOf(config, id))) return null
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Where a person opens the link. The token is in the query because no route of the app has parameters. */
export function claimUrl(config: Pick<Config, 'secret' | 'origin' | 'port'>, operationId: string): string {
  return linkTo(config, `/claim?token=${claimToken(config, operationId)}`)
}
