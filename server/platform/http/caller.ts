import { BlockList, isIPv6 } from 'node:net'
import bowser from 'bowser'
import type { Context } from 'hono'
import { z } from 'zod'
import { type Place, PLACES } from '#contract/identity.ts'
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
export function clientAddress(c: Context<ApiEnv>): string {
  const { incoming } = c.env
  const forwarded = c.get('deps').config.trustProxy ? incoming.headers['x-forwarded-for'] : undefined
  const address = [forwarded].flat().at(-1)?.split(',').at(-1)?.trim() || incoming.socket.remoteAddress || ''
  return address.replace(/^::ffff:/, '')
}

export function callerOf(c: Context<ApiEnv>): Caller {
  return { device: deviceOf(c.req.header('user-agent')), place: placeOf(clientAddress(c)) }
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

const own = new BlockList()
own.addSubnet('127.0.0.0', 8, 'ipv4')
own.addAddress('::1', 'ipv6')

/** RFC 1918, RFC 3927, RFC 4193 and RFC 4291: networks that no route of the internet leads to. */
const local = new BlockList()
local.addSubnet('10.0.0.0', 8, 'ipv4')
local.addSubnet('172.16.0.0', 12, 'ipv4')
local.addSubnet('192.168.0.0', 16, 'ipv4')
local.addSubnet('169.254.0.0', 16, 'ipv4')
local.addSubnet('fc00::', 7, 'ipv6')
local.addSubnet('fe80::', 10, 'ipv6')

function placeOf(address: string): Place {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (own.check(address, family)) return 'this_computer'
  return local.check(address, family) ? 'local_network' : 'internet'
}
