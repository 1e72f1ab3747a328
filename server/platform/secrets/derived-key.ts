import { createHmac, hkdfSync } from 'node:crypto'

/** What all keys of a bank are derived from. */
export type Secret = {
  secret: string
  /** Those it had before, the first one first: what was made with them holds on (docs/operations.md, "Rotate"). */
  earlierSecrets?: readonly string[]
  /** The one that it is about to have: other servers may make things with it already. */
  nextSecret?: string | null
}

/** Every secret that holds, the bank's own first. */
export function secretsOf({ secret, earlierSecrets = [], nextSecret = null }: Secret): Secret[] {
  return [secret, ...earlierSecrets.toReversed(), ...(nextSecret === null ? [] : [nextSecret])].map((one) => ({
    secret: one,
  }))
}

/** For what never changes, whichever secret the bank has now: what it follows from is the secret that the bank had first. */
export function firstSecret({ secret, earlierSecrets = [] }: Secret): Secret {
  return { secret: earlierSecrets[0] ?? secret }
}

/** Derived from the bank's secret (RFC 5869), one for each kind: knowing the key of one reveals nothing about another's. */
export function derivedKey(config: Secret, kind: string): Buffer {
  return Buffer.from(hkdfSync('sha256', config.secret, '', `alder ${kind}`, 32))
}

/**
 * An HMAC-SHA256 that nobody without the bank's secret can make or check: for what has few enough values to try them all,
 * which a plain digest would give away.
 */
export function keyedDigest(config: Secret, kind: string, content: string): Buffer {
  return createHmac('sha256', derivedKey(config, kind)).update(content).digest()
}

/** The same under each secret that holds: what was kept is one of these. */
export function keyedDigests(config: Secret, kind: string, content: string): Buffer[] {
  return secretsOf(config).map((one) => keyedDigest(one, kind, content))
}
