import type { IncomingMessage } from 'node:http'
import { Refusal } from '#contract/errors.ts'
import type { Config } from '#server/config.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

export function isSafe(method: string): boolean {
  return SAFE_METHODS.has(method)
}

/**
 * Refuses a request that another site's page had the browser send. Browsers name the origin of every unsafe request,
 * and Sec-Fetch-Site says the same in a way no page can forge; a request without an Origin is refused as well.
 * Where no address is configured, the bank's own origin is the host that the request was sent to.
 * Throws Refusal `origin_refused`.
 */
export function checkOrigin(incoming: IncomingMessage, config: Pick<Config, 'origin'>): void {
  const { origin, host, 'sec-fetch-site': site } = incoming.headers
  const own = config.origin ?? `http://${host}`
  if (origin !== own || (site !== undefined && site !== 'same-origin')) throw new Refusal('origin_refused')
}
