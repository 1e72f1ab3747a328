import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { freeMemory } from '#server/platform/process/memory.ts'
import { derivedKey, type Secret, secretsOf } from '#server/platform/secrets/derived-key.ts'

/** NIST SP 800-38D: a nonce of 96 bits, new each time, and the longest tag. */
const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * The name of sealed content: its kind, such as 'two-factor secret', and its owner, which distinguishes it from others of that
 * kind.
 */
export type SealName = { kind: string; owner: string }

/** Encrypts content that must be unreadable in the database. Returns the nonce, the ciphertext and the tag. */
export function seal(config: Secret, { kind, owner }: SealName, content: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, derivedKey(config, kind), nonce).setAAD(Buffer.from(owner))
  const encrypted = cipher.update(content)
  const sealedBytes = Buffer.concat([nonce, encrypted, cipher.final(), cipher.getAuthTag()])
  freeMemory(encrypted)
  return sealedBytes
}

/**
 * Returns the content that was sealed under this name. Throws if it was changed, or was sealed under another name or an invalid
 * secret.
 */
export function unseal(config: Secret, name: SealName, sealed: Buffer): Buffer {
  const secrets = secretsOf(config)
  for (const [index, secret] of secrets.entries()) {
    try {
      return unsealWith(secret, name, sealed)
    } catch (error) {
      if (index === secrets.length - 1) throw error
    }
  }
  throw new Error('The bank has no secret')
}

/** Returns the content that was sealed with exactly this secret. Throws otherwise. */
export function unsealWith(config: Secret, { kind, owner }: SealName, sealed: Buffer): Buffer {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new Error(`A ${kind} in the database is cut off`)
  const end = sealed.length - TAG_BYTES
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, derivedKey(config, kind), nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(end))
  const content = decipher.update(sealed.subarray(NONCE_BYTES, end))
  // This step returns no content; it throws if the tag is wrong.
  decipher.final()
  return content
}
