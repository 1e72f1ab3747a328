import { createCipheriv, createDecipheriv, randomBytes, scrypt, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import { StartError } from '#server/platform/process/start-error.ts'

/** Secrets that a passphrase seals, in the form of a manifest. */
export const sealedSecrets = z.object({
  salt: z.base64(),
  /** The cost parameter of scrypt, stored so that a later version can raise it. */
  cost: z
    .int()
    .min(2)
    .max(2 ** 24),
  nonce: z.base64(),
  content: z.base64(),
})
export type SealedSecrets = z.infer<typeof sealedSecrets>

/** The secrets that open a folder's database: the bank's secret and the password of its database. */
export type Secrets = { secret: string; databasePassword: string }

const CIPHER = 'aes-256-gcm'
const TAG_BYTES = 16
/** The cost of scrypt. A guess takes half a second and 128 MB; OWASP recommends at least this cost. */
const COST = 2 ** 17

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
const keyFrom = (passphrase: string, salt: Buffer, cost: number): Promise<Buffer> =>
  derive(passphrase.normalize('NFC'), salt, 32, { N: cost, r: 8, p: 1, maxmem: 256 * cost * 8 })

export async function sealSecrets(secrets: Secrets, passphrase: string): Promise<SealedSecrets> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv(CIPHER, await keyFrom(passphrase, salt, COST), nonce)
  const content = Buffer.concat([cipher.update(JSON.stringify(secrets)), cipher.final(), cipher.getAuthTag()])
  return {
    salt: salt.toString('base64'),
    cost: COST,
    nonce: nonce.toString('base64'),
    content: content.toString('base64'),
  }
}

/** Opens sealed secrets. Throws StartError if the passphrase is wrong. */
export async function openSecrets(sealed: SealedSecrets, passphrase: string): Promise<Secrets> {
  const [salt, nonce, content] = [sealed.salt, sealed.nonce, sealed.content].map((text) => Buffer.from(text, 'base64'))
  if (!salt || !nonce || !content) throw new Error('Nothing is sealed here')
  const decipher = createDecipheriv(CIPHER, await keyFrom(passphrase, salt, sealed.cost), nonce, {
    authTagLength: TAG_BYTES,
  })
  decipher.setAuthTag(content.subarray(-TAG_BYTES))
  try {
    const opened = Buffer.concat([decipher.update(content.subarray(0, -TAG_BYTES)), decipher.final()])
    return JSON.parse(opened.toString()) as Secrets
  } catch {
    throw new StartError('The passphrase is not the one that this backup was made with.')
  }
}
