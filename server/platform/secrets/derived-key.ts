import { createHmac, hkdfSync } from 'node:crypto'

/** The secret from which all keys of a bank are derived. */
export type Secret = {
  secret: string
  /** The bank's former secrets, oldest first. Data made with them stays valid (docs/operations.md, "Rotate"). */
  earlierSecrets?: readonly string[]
  /** The bank's coming secret. Other servers may already use it for new data. */
  nextSecret?: string | null
}

/** Returns every valid secret, the current one first. */
export function secretsOf({ secret, earlierSecrets = [], nextSecret = null }: Secret): Secret[] {
  return [secret, ...earlierSecrets.toReversed(), ...(nextSecret === null ? [] : [nextSecret])].map((usedSecret) => ({
    secret: usedSecret,
  }))
}

/** Returns the bank's first secret, for values that must never change when the secret does. */
export function firstSecret({ secret, earlierSecrets = [] }: Secret): Secret {
  return { secret: earlierSecrets[0] ?? secret }
}

/**
 * Derives a key from the bank's secret (RFC 5869), one for each kind. A leaked key reveals nothing about the keys of other
 * kinds.
 */
export function derivedKey(config: Secret, kind: string): Buffer {
  return Buffer.from(hkdfSync('sha256', config.secret, '', `alder ${kind}`, 32))
}

/**
 * Returns an HMAC-SHA256 that cannot be made or checked without the bank's secret. For content with few possible values: a
 * plain digest could be reversed by trying all of them.
 */
export function keyedDigest(config: Secret, kind: string, content: string): Buffer {
  return createHmac('sha256', derivedKey(config, kind)).update(content).digest()
}

/** Returns the digest under each valid secret. A stored digest equals one of these. */
export function keyedDigests(config: Secret, kind: string, content: string): Buffer[] {
  return secretsOf(config).map((secret) => keyedDigest(secret, kind, content))
}
