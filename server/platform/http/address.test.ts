import fc from 'fast-check'
import { expect, test } from 'vitest'
import { networkOf, networkZoneOf, siteOf } from '#server/platform/http/address.ts'

test.each([
  ['127.0.0.1', 'this_computer'],
  ['127.8.9.1', 'this_computer'],
  ['::1', 'this_computer'],
  ['::ffff:127.0.0.1', 'this_computer'],
  ['10.1.2.3', 'local_network'],
  ['172.31.255.255', 'local_network'],
  ['192.168.1.1', 'local_network'],
  ['169.254.0.1', 'local_network'],
  ['fe80::1%eth0', 'local_network'],
  ['fd00::1', 'local_network'],
  ['::ffff:192.168.1.1', 'local_network'],
  ['172.32.0.1', 'internet'],
  ['8.8.8.8', 'internet'],
  ['2001:db8::1', 'internet'],
  ['', 'internet'],
  ['unknown', 'internet'],
])('%s is in the zone %s', (address, zone) => {
  expect(networkZoneOf(address)).toBe(zone)
})

test('IPv4 addresses count individually, in any spelling', () => {
  expect(networkOf('192.0.2.7')).toBe('192.0.2.7')
  expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7')
  expect(networkOf('192.0.2.8')).not.toBe(networkOf('192.0.2.7'))
})

test('IPv6 addresses count by their /64, in any spelling', () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((number) => number.toString(16))
  const groups = (length: number) => fc.array(group, { minLength: length, maxLength: length })
  fc.assert(
    fc.property(groups(4), groups(4), groups(4), (network, firstEnd, secondEnd) => {
      // IPv6 addresses that contain an IPv4 address count as that IPv4 address.
      fc.pre(network.some((each) => each !== '0'))
      const [a, b] = [[...network, ...firstEnd].join(':'), [...network, ...secondEnd].join(':')]
      expect(networkOf(a)).toBe(networkOf(b))
      expect(networkOf(new URL(`http://[${a}]`).hostname.slice(1, -1))).toBe(networkOf(a))
    }),
  )
  expect(networkOf('2001:db8:0:1::1')).not.toBe(networkOf('2001:db8:0:2::1'))
  expect(networkOf('fe80::1%eth0')).toBe(networkOf('fe80::2%eth1'))
})

test('an address counts as the same for every port', () => {
  for (const port of ['1', '50432']) {
    expect(networkOf(`192.0.2.7:${port}`)).toBe('192.0.2.7')
    expect(networkOf(`[2001:db8::1]:${port}`)).toBe(networkOf('2001:db8::1'))
  }
  expect(networkOf('[2001:db8::1]')).toBe(networkOf('2001:db8::1'))
  expect(networkZoneOf('10.1.2.3:50432')).toBe('local_network')
})

test('the site of an IPv6 address is its /48, and the site of an IPv4 address is the address itself', () => {
  expect(siteOf('2001:db8:7:1::1')).toBe(siteOf('2001:db8:7:ffff::2'))
  expect(siteOf('2001:db8:7::1')).not.toBe(siteOf('2001:db8:8::1'))
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', 'unknown', ''])
    expect(siteOf(address)).toBe(networkOf(address))
})
