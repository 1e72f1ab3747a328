import { expect, it } from 'vitest'
import { idleAt } from '#web/identity/session/idle.ts'

const LAST = 1_000_000
const after = (seconds: number, idleSeconds = 300) => idleAt(LAST + seconds * 1000, LAST, idleSeconds)

it.each([0, 1, 239.9])('%d seconds cause no warning', (seconds) => expect(after(seconds)).toEqual({ state: 'active' }))

it.each([
  [240, 60],
  [240.2, 60],
  [270, 30],
  [299.9, 1],
])('after %d seconds %i are left', (seconds, secondsLeft) =>
  expect(after(seconds)).toEqual({ state: 'warned', secondsLeft }),
)

it.each([300, 301, 100_000])('%d seconds end the session', (seconds) =>
  expect(after(seconds)).toEqual({ state: 'expired' }),
)

it('a short time has its warning at one half', () => {
  expect(after(14, 30)).toEqual({ state: 'active' })
  expect(after(15, 30)).toEqual({ state: 'warned', secondsLeft: 15 })
})

it('a clock that is set back counts as activity', () => expect(after(-500)).toEqual({ state: 'active' }))
