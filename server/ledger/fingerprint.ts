import { hash } from 'node:crypto'

/** A digest of what an operation asks for, for operations that no request of a person's stands behind. */
export function fingerprintOf(...parts: (string | number | null)[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url')
}
