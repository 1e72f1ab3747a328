import { i18n } from '@lingui/core'
import { afterAll, expect, it } from 'vitest'
import { spreadMinor } from '#web/crypto/shared/value.ts'
import { microsToCents, coinText, centsToMicros } from '#web/crypto/shared/words.ts'

afterAll(() => i18n.activate('en'))

it.each([
  [4_500_000, '0.0450 BTC'],
  [4_395_871, '0.04395871 BTC'],
  [1, '0.00000001 BTC'],
  [100_000_000, '1.0000 BTC'],
  [123_456_789_012_345, '1,234,567.89012345 BTC'],
  [0, '0 BTC'],
])('writes %j as %j', (amountMinor, text) => {
  i18n.activate('en')
  expect(coinText(amountMinor, 'BTC')).toBe(text)
})

it('writes coins from left to right in right-to-left languages', () => {
  i18n.activate('ar')
  expect(coinText(4_500_000, 'BTC').replace(/[\u2066-\u2069]/g, '')).toBe('0.0450 BTC')
  expect(coinText(4_500_000, 'BTC')).toMatch(/^\u2066.*\u2069$/)
})

it('rounds prices to the cent and parses them', () => {
  expect(microsToCents(84_250_005_000)).toBe(84_250_01)
  expect(microsToCents(84_250_004_999)).toBe(84_250_00)
  expect(microsToCents(centsToMicros(84_250_01))).toBe(84_250_01)
})

it('shows the cost of a spread', () => {
  const quote = {
    asset: 'BTC',
    amountMinor: 292_383,
    priceMicros: 84_648_959_100,
    marketMicros: 84_227_820_000,
  } as const
  expect(spreadMinor(quote)).toBe(1_23)
})
