import bowser from 'bowser'
import type { Context } from 'hono'
import { z } from 'zod'
import { type Place, PLACES } from '#contract/identity.ts'
import { networkOf, networkZoneOf, siteOf } from '#server/platform/http/address.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'

/** What the bank notes of whoever asks; the address itself is not kept. */
export const callerShape = z.object({
  /** 'Chrome on Android'. */
  device: z.string(),
  place: z.enum(Object.keys(PLACES) as [Place, ...Place[]]),
})
export type Caller = z.infer<typeof callerShape>

/**
 * Where the request came from: the socket's address or, behind a proxy that is trusted, the one it wrote last into
 * X-Forwarded-For.
 */
function clientAddress(c: Context<ApiEnv>): string {
  const { incoming } = c.env
  const forwarded = c.get('deps').config.trustProxy ? incoming.headers['x-forwarded-for'] : undefined
  return [forwarded].flat().at(-1)?.split(',').at(-1)?.trim() || incoming.socket.remoteAddress || ''
}

/** What limits count a request's address as. */
export const clientNetwork = (c: Context<ApiEnv>): string => networkOf(clientAddress(c))

/** What shares count it as: nobody has a larger one by having many networks. */
export const clientSite = (c: Context<ApiEnv>): string => siteOf(clientAddress(c))

export function callerOf(c: Context<ApiEnv>): Caller {
  return { device: deviceOf(c.req.header('user-agent')), place: networkZoneOf(clientAddress(c)) }
}

/** Longer than what any browser sends; what follows is not looked at. */
const MAX_AGENT = 500

function deviceOf(agent: string | undefined): string {
  if (!agent) return 'Unknown device'
  const { browser, os, platform } = bowser.parse(agent.slice(0, MAX_AGENT))
  const where = platform.model ?? os.name
  if (!browser.name) return 'Unknown device'
  return where ? `${browser.name} on ${where}` : browser.name
}
