import { afterEach, expect } from 'vitest'
import { undeclaredRefusals } from '#server/test/api-conformance.ts'

/** A test fails if one of its refusals is missing from the API document. */
afterEach(() => expect(undeclaredRefusals.splice(0)).toEqual([]))
