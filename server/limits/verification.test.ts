import { expect, test } from 'vitest'
import { checkVerified, mustVerify } from '#server/limits/verification.ts'
import { policyFor } from '#server/bank/policy.ts'

const limited = { ...policyFor({ mode: 'sample' }), unverifiedLimits: { inMinor: 1, outMinor: 1 } }
const unlimited = { ...limited, unverifiedLimits: null }

test('only a bank with limits for unverified customers asks them to verify', () => {
  expect(mustVerify({ policy: limited }, { verified: false })).toBe(true)
  expect(mustVerify({ policy: limited }, { verified: true })).toBe(false)
  expect(mustVerify({ policy: unlimited }, { verified: false })).toBe(false)
  expect(() => checkVerified({ policy: limited }, { verified: false })).toThrow('verification_required')
  expect(() => checkVerified({ policy: limited }, { verified: true })).not.toThrow()
})
