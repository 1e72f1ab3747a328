import ipaddr from 'ipaddr.js'
import type { NetworkZone } from '#contract/security-events.ts'

/** By the range of an address. */
const ZONES: Readonly<Record<string, NetworkZone>> = {
  loopback: 'this_computer',
  private: 'local_network',
  linkLocal: 'local_network',
  uniqueLocal: 'local_network',
}

/** An address with the port it came from, as some proxies write it: '192.0.2.7:50432', '[2001:db8::1]:50432'. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([^:]*))(?::\d+)?$/

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const [, v6, v4] = WITH_PORT.exec(address) ?? []
  // An IPv4 address may come mapped into IPv6, and an IPv6 one with a zone id.
  const bare = (v6 ?? v4 ?? address).replace(/%.*$/, '')
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null
}

/** The network zone of an address: what cannot be told comes from the internet. */
export function networkZoneOf(address: string): NetworkZone {
  return ZONES[parse(address)?.range() ?? ''] ?? 'internet'
}

/** How much of an IPv6 address names the network: a subscriber owns all the addresses in it (RFC 6177). */
const SUBSCRIBER_BITS = 64

/** What limits count an address as: an IPv4 address as itself, of an IPv6 one only the network. */
export function networkOf(address: string): string {
  const parsed = parse(address)
  if (!parsed) return address
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${SUBSCRIBER_BITS}`).toString()
}

/** The largest site that one subscriber is given (RFC 6177): of 65,536 networks, anybody can have one for the asking. */
const SITE_BITS = 48

/** What one party may have of addresses at most: an IPv4 address is that by itself, of IPv6 a whole site. */
export function siteOf(address: string): string {
  const parsed = parse(address)
  if (parsed?.kind() !== 'ipv6') return networkOf(address)
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${SITE_BITS}`).toString()}/${SITE_BITS}`
}

/** Whether an address is one of the internet, and of nothing nearer. */
export function isPublicAddress(address: string): boolean {
  return parse(address)?.range() === 'unicast'
}
