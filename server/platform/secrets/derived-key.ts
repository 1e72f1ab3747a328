import { createHmac, hkdfSync } from 'node:crypto'

/** What all keys of a bank are derived from. */
export type Secret = { secret: string }

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
