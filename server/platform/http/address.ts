import ipaddr from 'ipaddr.js'
import type { NetworkZone } from '#contract/identity.ts'

/** By the range of an address. */
const ZONES: Readonly<Record<string, NetworkZone>> = {
  loopback: 'this_computer',
  private: 'local_network',
  linkLocal: 'local_network',
  uniqueLocal: 'local_network',
}

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // An IPv4 address may come mapped into IPv6, and an IPv6 one with a zone id.
  const bare = address.replace(/%.*$/, '')
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
