import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { release } from '#server/platform/process/memory.ts'
import { derivedKey, type Secret, secretsOf } from '#server/platform/secrets/derived-key.ts'

/** NIST SP 800-38D: 96 bits of nonce, fresh each time, and the longest tag. */
const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** What is sealed, as every such thing is called ('two-factor secret'), and what tells this one from the others: whose it is. */
export type SealName = { kind: string; owner: string }

/** Encrypts what the database shall not be able to tell: nonce, ciphertext and tag. */
export function seal(config: Secret, { kind, owner }: SealName, content: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, derivedKey(config, kind), nonce).setAAD(Buffer.from(owner))
  const encrypted = cipher.update(content)
  const sealed = Buffer.concat([nonce, encrypted, cipher.final(), cipher.getAuthTag()])
  release(encrypted)
  return sealed
}

/** What was sealed under this name. Throws where it was not, to the last bit, or not with a secret that holds. */
export function unseal(config: Secret, name: SealName, sealed: Buffer): Buffer {
  const secrets = secretsOf(config)
  for (const [index, one] of secrets.entries()) {
    try {
      return unsealWith(one, name, sealed)
    } catch (error) {
      if (index === secrets.length - 1) throw error
    }
  }
  throw new Error('The bank has no secret')
}

/** The same with one secret alone. */
export function unsealWith(config: Secret, { kind, owner }: SealName, sealed: Buffer): Buffer {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new Error(`A ${kind} in the database is cut off`)
  const end = sealed.length - TAG_BYTES
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, derivedKey(config, kind), nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(end))
  const content = decipher.update(sealed.subarray(NONCE_BYTES, end))
  // Nothing is left for this step but to throw.
  decipher.final()
  return content
}
