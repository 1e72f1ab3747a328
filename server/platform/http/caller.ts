import bowser from 'bowser'
import type { Context } from 'hono'
import { z } from 'zod'
import type { DeviceParts } from '#contract/devices.ts'
import { deviceParts, networkZone } from '#contract/identity.ts'
import type { Deps } from '#server/platform/deps.ts'
import { networkOf, networkZoneOf, siteOf } from '#server/platform/http/address.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'

/** What the bank records of a caller; the address itself is not kept. */
const caller = z.object({
  device: deviceParts,
  networkZone,
})

/** Jobs that were enqueued before migration 0086 say the device in English, and before 0080 `place`. */
const earlierCaller = z
  .object({ device: z.string(), networkZone: networkZone.optional(), place: networkZone.optional() })
  .transform(({ device, networkZone: zone, place }) => ({
    device: partsOf(device),
    networkZone: zone ?? place ?? 'internet',
  }))

export const callerShape = z.union([caller, earlierCaller])
export type Caller = z.infer<typeof caller>

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

/**
 * Whether a request comes from this computer, as far as that says anything: in front of a bank with a public address stands a
 * proxy, and one that is not trusted would seem to be everybody.
 */
export function isFromHere(c: Context<ApiEnv>): boolean {
  return isThisComputer(c.get('deps'), networkZoneOf(clientAddress(c)))
}

export function isThisComputer({ config: { origin } }: Pick<Deps, 'config'>, zone: Caller['networkZone']): boolean {
  const isPublic = origin !== null && new URL(origin).hostname !== 'localhost'
  return !isPublic && zone === 'this_computer'
}

export function callerOf(c: Context<ApiEnv>): Caller {
  return { device: deviceOf(c.req.header('user-agent')), networkZone: networkZoneOf(clientAddress(c)) }
}

/** Longer than what any browser sends; what follows is not looked at. */
const MAX_AGENT = 500

export const UNKNOWN_DEVICE: DeviceParts = { browser: null, system: null }

function deviceOf(agent: string | undefined): DeviceParts {
  if (!agent) return UNKNOWN_DEVICE
  const { browser, os, platform } = bowser.parse(agent.slice(0, MAX_AGENT))
  if (!browser.name) return UNKNOWN_DEVICE
  return { browser: browser.name, system: platform.model ?? os.name ?? null }
}

/** The parts of what was said in English: 'Chrome on Android'. */
function partsOf(name: string): DeviceParts {
  if (name === 'Unknown device') return UNKNOWN_DEVICE
  const [browser = '', system] = name.split(/ on (.*)/)
  return { browser, system: system ?? null }
}
