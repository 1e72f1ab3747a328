import ipaddr from 'ipaddr.js'
import type { NetworkZone } from '#contract/security-events.ts'

/** The network zone of each address range. */
const ZONES: Readonly<Record<string, NetworkZone>> = {
  loopback: 'this_computer',
  private: 'local_network',
  linkLocal: 'local_network',
  uniqueLocal: 'local_network',
}

/** Matches an address with a port, as some proxies write it: '192.0.2.7:50432', '[2001:db8::1]:50432'. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([^:]*))(?::\d+)?$/

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const [, v6, v4] = WITH_PORT.exec(address) ?? []
  // An IPv4 address may be mapped into IPv6. An IPv6 address may have a zone id.
  const bare = (v6 ?? v4 ?? address).replace(/%.*$/, '')
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null
}

/** Returns the network zone of an address; `internet` if it is unknown. */
export function networkZoneOf(address: string): NetworkZone {
  return ZONES[parse(address)?.range() ?? ''] ?? 'internet'
}

/** The number of bits of an IPv6 address that name the network. A subscriber owns all addresses in it (RFC 6177). */
const SUBSCRIBER_BITS = 64

/** Returns the part of an address that rate limits count: all of an IPv4 address, only the network of an IPv6 address. */
export function networkOf(address: string): string {
  const parsedAddress = parse(address)
  if (!parsedAddress) return address
  if (parsedAddress.kind() === 'ipv4') return parsedAddress.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsedAddress.toString()}/${SUBSCRIBER_BITS}`).toString()
}

/**
 * The number of bits that name the largest site of one subscriber (RFC 6177). A site has 65,536 networks, and a subscriber gets
 * it on request.
 */
const SITE_BITS = 48

/** Returns the largest range of addresses that one subscriber may have: the IPv4 address itself, or a whole IPv6 site. */
export function siteOf(address: string): string {
  const parsedAddress = parse(address)
  if (parsedAddress?.kind() !== 'ipv6') return networkOf(address)
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsedAddress.toString()}/${SITE_BITS}`).toString()}/${SITE_BITS}`
}

/** Returns whether an address is a public address of the internet. */
export function isPublicAddress(address: string): boolean {
  return parse(address)?.range() === 'unicast'
}
