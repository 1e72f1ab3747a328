import { expect, test } from 'vitest'
import { callerShape } from '#server/platform/http/caller.ts'

const ANDROID = { browser: 'Chrome', system: 'Android' }

test.each([
  [
    { device: 'Chrome on Android', place: 'local_network' },
    { device: ANDROID, networkZone: 'local_network' },
  ],
  [
    { device: 'Chrome on Android', networkZone: 'internet' },
    { device: ANDROID, networkZone: 'internet' },
  ],
  [
    { device: 'curl', networkZone: 'internet' },
    { device: { browser: 'curl', system: null }, networkZone: 'internet' },
  ],
  [
    { device: 'Unknown device', networkZone: 'internet' },
    { device: { browser: null, system: null }, networkZone: 'internet' },
  ],
  [
    { device: ANDROID, networkZone: 'internet' },
    { device: ANDROID, networkZone: 'internet' },
  ],
])('a caller in a job of an earlier version is parsed as one of this version: %j', (storedCaller, expectedCaller) => {
  expect(callerShape.parse(storedCaller)).toEqual(expectedCaller)
})
