import { hash } from 'node:crypto'

/** Returns a digest of an operation's content, for operations without a request from a person. */
export function fingerprintOf(...parts: (string | number | null)[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url')
}
