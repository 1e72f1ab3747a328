import { expect, test } from 'vitest'
import { callerShape } from '#server/platform/http/caller.ts'

test('a caller in a job of an earlier version is read as one of this version', () => {
  const caller = { device: 'Chrome on Android', networkZone: 'internet' }
  expect(callerShape.parse({ device: 'Chrome on Android', place: 'internet' })).toEqual(caller)
  expect(callerShape.parse(caller)).toEqual(caller)
})
