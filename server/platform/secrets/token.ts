import { hash, randomBytes } from 'node:crypto'

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** A secret of 256 random bits, base64url. Only its digest is kept, so the database alone opens nothing. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What names a token in the database: its SHA-256, base64url. */
export function digestOf(token: string): string {
  return hash('sha256', token, 'base64url')
}

/** The digest of what a browser or a link brought; null where that cannot be a token. */
export function digestOfGiven(token: string | undefined): string | null {
  return token !== undefined && TOKEN.test(token) ? digestOf(token) : null
}
