import { hash, randomBytes } from 'node:crypto'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** Returns a secret of 256 random bits in base64url. Only its digest is stored, so a leaked database gives no access. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the digest that identifies a token in the database: its SHA-256 in base64url. */
export function tokenDigestOf(token: string): string {
  return hash('sha256', token, 'base64url')
}

/** Returns the digest of a token from a browser or a link; null if it cannot be a token. */
export function digestOfGivenToken(token: string | undefined): string | null {
  return token !== undefined && TOKEN.test(token) ? tokenDigestOf(token) : null
}
