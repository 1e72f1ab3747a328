import { expect, it } from 'vitest'
import { idleAt } from '#web/identity/session/idle.ts'

const LAST = 1_000_000
const after = (seconds: number, idleSeconds = 300) => idleAt(LAST + seconds * 1000, LAST, idleSeconds)

it.each([0, 1, 239.9])('%d seconds say nothing', (seconds) => expect(after(seconds)).toEqual({ state: 'active' }))

it.each([
  [240, 60],
  [240.2, 60],
  [270, 30],
  [299.9, 1],
])('after %d seconds there are %i left', (seconds, secondsLeft) =>
  expect(after(seconds)).toEqual({ state: 'warned', secondsLeft }),
)

it.each([300, 301, 100_000])('%d seconds are the end', (seconds) =>
  expect(after(seconds)).toEqual({ state: 'expired' }),
)

it('warns for half of a time that is short', () => {
  expect(after(14, 30)).toEqual({ state: 'active' })
  expect(after(15, 30)).toEqual({ state: 'warned', secondsLeft: 15 })
})

it('takes a clock that was put back for a sign of life', () => expect(after(-500)).toEqual({ state: 'active' }))
