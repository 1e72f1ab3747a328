import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearestStep, stepFrom } from '#web/ui/slider.tsx'

const SCALE = { least: 1_000_00, most: 50_000_00, step: 500_00 }

const isOnScale = (value: number) =>
  value >= SCALE.least && value <= SCALE.most && (value - SCALE.least) % SCALE.step === 0

test('any number is near one on the scale, and numbers on the scale do not move', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000_00 }), (value) => {
      const nearestValue = nearestStep(value, SCALE)
      expect(isOnScale(nearestValue)).toBe(true)
      expect(nearestStep(nearestValue, SCALE)).toBe(nearestValue)
      if (value >= SCALE.least && value <= SCALE.most)
        expect(Math.abs(nearestValue - value)).toBeLessThanOrEqual(SCALE.step / 2)
    }),
  )
})

test.each([
  [7_500_00, -1, 7_000_00],
  [7_500_00, 1, 8_000_00],
  // A number between two values moves to one of them.
  [7_300_00, -1, 7_000_00],
  [7_300_00, 1, 7_500_00],
  [1_000_00, -1, 1_000_00],
  [50_000_00, 1, 50_000_00],
  [200_00, 1, 1_000_00],
  [200_00, -1, 1_000_00],
  [80_000_00, -1, 50_000_00],
] as const)('a step from %s by %s is %s', (from, direction, nextValue) => {
  expect(stepFrom(from, direction, SCALE)).toBe(nextValue)
})
