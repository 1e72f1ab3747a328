import bowser from 'bowser'
import type { Context } from 'hono'
import { z } from 'zod'
import type { DeviceParts } from '#contract/devices.ts'
import { deviceParts, networkZone } from '#contract/identity.ts'
import type { Deps } from '#server/platform/deps.ts'
import { networkOf, networkZoneOf, siteOf } from '#server/platform/http/address.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'

/** The recorded data of a caller. The address itself is not stored. */
const caller = z.object({
  device: deviceParts,
  networkZone,
})

/** The form of jobs enqueued by earlier versions: the device in English (before migration 0086), and `place` (before 0080). */
const earlierCaller = z
  .object({ device: z.string(), networkZone: networkZone.optional(), place: networkZone.optional() })
  .transform(({ device, networkZone: zone, place }) => ({
    device: partsOf(device),
    networkZone: zone ?? place ?? 'internet',
  }))

export const callerShape = z.union([caller, earlierCaller])
export type Caller = z.infer<typeof caller>

/**
 * Returns the address that a request came from: the socket's address or, behind a trusted proxy, the last address in
 * X-Forwarded-For.
 */
function clientAddress(c: Context<ApiEnv>): string {
  const { incoming } = c.env
  const forwarded = c.get('deps').config.trustProxy ? incoming.headers['x-forwarded-for'] : undefined
  return [forwarded].flat().at(-1)?.split(',').at(-1)?.trim() || incoming.socket.remoteAddress || ''
}

/** Returns the part of a request's address that rate limits count. */
export const clientNetwork = (c: Context<ApiEnv>): string => networkOf(clientAddress(c))

/**
 * Returns the part of a request's address that concurrency limits count. A subscriber with many networks does not get a larger
 * share.
 */
export const clientSite = (c: Context<ApiEnv>): string => siteOf(clientAddress(c))

/**
 * Returns whether a request comes from this computer. The result is always false for a bank with a public address. Such a bank
 * usually has a proxy. Behind a proxy that is not trusted, all requests seem to come from the proxy.
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

/** The number of characters of a user agent that are read. Browsers send fewer. */
const MAX_AGENT = 500

export const UNKNOWN_DEVICE: DeviceParts = { browser: null, system: null }

function deviceOf(agent: string | undefined): DeviceParts {
  if (!agent) return UNKNOWN_DEVICE
  const { browser, os, platform } = bowser.parse(agent.slice(0, MAX_AGENT))
  if (!browser.name) return UNKNOWN_DEVICE
  return { browser: browser.name, system: platform.model ?? os.name ?? null }
}

/** Splits an English device name, such as 'Chrome on Android', into its parts. */
function partsOf(name: string): DeviceParts {
  if (name === 'Unknown device') return UNKNOWN_DEVICE
  const [browser = '', system] = name.split(/ on (.*)/)
  return { browser, system: system ?? null }
}
