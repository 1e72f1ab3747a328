import { expect, test } from 'vitest'
import { getOrCompute } from '#server/platform/pdf/bounded-cache.ts'

test('a value is computed once, and the cache stays within its bound', () => {
  const cache = new Map<number, number>()
  const requestedKeys: number[] = []
  const double = (number: number) =>
    getOrCompute(
      cache,
      number,
      () => {
        requestedKeys.push(number)
        return 2 * number
      },
      10,
    )
  expect([double(1), double(1)]).toEqual([2, 2])
  expect(requestedKeys).toEqual([1])
  for (let number = 0; number < 1_000; number += 1) {
    expect(double(number)).toBe(2 * number)
    expect(cache.size).toBeLessThanOrEqual(10)
  }
})
