import { expect, it } from 'vitest'
import { idleAt } from '#web/identity/session/idle.ts'

const LAST_INPUT_MS = 1_000_000
const stateAfter = (seconds: number, idleSeconds = 300) =>
  idleAt(LAST_INPUT_MS + seconds * 1000, LAST_INPUT_MS, idleSeconds)

it.each([0, 1, 239.9])('%d seconds cause no warning', (seconds) =>
  expect(stateAfter(seconds)).toEqual({ state: 'active' }),
)

it.each([
  [240, 60],
  [240.2, 60],
  [270, 30],
  [299.9, 1],
])('after %d seconds %i are left', (seconds, secondsLeft) =>
  expect(stateAfter(seconds)).toEqual({ state: 'warned', secondsLeft }),
)

it.each([300, 301, 100_000])('%d seconds end the session', (seconds) =>
  expect(stateAfter(seconds)).toEqual({ state: 'expired' }),
)

it('a short time has its warning at one half', () => {
  expect(stateAfter(14, 30)).toEqual({ state: 'active' })
  expect(stateAfter(15, 30)).toEqual({ state: 'warned', secondsLeft: 15 })
})

it('a clock that is set back counts as activity', () => expect(stateAfter(-500)).toEqual({ state: 'active' }))
