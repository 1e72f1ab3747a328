import { afterEach, expect } from 'vitest'
import { undeclared } from '#server/test/undeclared.ts'

/** A test fails that was refused with what the API document does not say. */
afterEach(() => expect(undeclared.splice(0)).toEqual([]))
