import { expect, test } from 'vitest'
import { remembered } from '#server/platform/pdf/remembered.ts'

test('what is known is found out once, and never grows beyond its bound', () => {
  const known = new Map<number, number>()
  const asked: number[] = []
  const double = (number: number) =>
    remembered(
      known,
      number,
      () => {
        asked.push(number)
        return 2 * number
      },
      10,
    )
  expect([double(1), double(1)]).toEqual([2, 2])
  expect(asked).toEqual([1])
  for (let number = 0; number < 1_000; number += 1) {
    expect(double(number)).toBe(2 * number)
    expect(known.size).toBeLessThanOrEqual(10)
  }
})
