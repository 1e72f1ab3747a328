import type { IncomingMessage } from 'node:http'
import { Refusal } from '#contract/errors.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

export function isSafe(method: string): boolean {
  return SAFE_METHODS.has(method)
}

/**
 * Matches the names by which a computer reaches itself. Any other name could be a stranger's domain that points to this
 * computer.
 */
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** The bank's public address in the form of a browser's Origin header; null for http://localhost:PORT. */
export type PublicAddress = { origin: string | null }

/**
 * Returns the bank's own origin. Without a configured address, the bank is reachable only on this computer, by any of its local
 * names. Throws Refusal `origin_refused` for any other name.
 */
export function ownOrigin({ headers: { host } }: IncomingMessage, config: PublicAddress): string {
  if (config.origin) return config.origin
  if (!host || !LOCAL_HOST.test(host)) throw new Refusal('origin_refused')
  return `http://${host}`
}

/**
 * Refuses a request that the browser sent for another site's page. Browsers send the origin with every unsafe request, and
 * Sec-Fetch-Site, which no page can forge. A request without an Origin is refused as well. Throws Refusal `origin_refused`.
 */
export function checkOrigin(incoming: IncomingMessage, config: PublicAddress): void {
  const { origin, 'sec-fetch-site': site } = incoming.headers
  if (origin !== ownOrigin(incoming, config)) throw new Refusal('origin_refused')
  if (site !== undefined && site !== 'same-origin') throw new Refusal('origin_refused')
}
