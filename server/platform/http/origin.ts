import type { IncomingMessage } from 'node:http'
import { Refusal } from '#contract/errors.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

export function isSafe(method: string): boolean {
  return SAFE_METHODS.has(method)
}

/** The names by which a computer reaches itself. Any other could be one that somebody else has pointed here. */
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** Where people reach the bank, as a browser's Origin header says it; null means http://localhost:PORT. */
export type Origin = { origin: string | null }

/**
 * The bank's own origin. Where no address is configured, it is reached on this computer alone, by whichever of its
 * names. Throws Refusal `origin_refused` for any other name.
 */
export function ownOrigin({ headers: { host } }: IncomingMessage, config: Origin): string {
  if (config.origin) return config.origin
  if (!host || !LOCAL_HOST.test(host)) throw new Refusal('origin_refused')
  return `http://${host}`
}

/**
 * Refuses a request that another site's page had the browser send. Browsers name the origin of every unsafe request,
 * and Sec-Fetch-Site says the same in a way no page can forge; a request without an Origin is refused as well.
 * Throws Refusal `origin_refused`.
 */
export function checkOrigin(incoming: IncomingMessage, config: Origin): void {
  const { origin, 'sec-fetch-site': site } = incoming.headers
  if (origin !== ownOrigin(incoming, config)) throw new Refusal('origin_refused')
  if (site !== undefined && site !== 'same-origin') throw new Refusal('origin_refused')
}
