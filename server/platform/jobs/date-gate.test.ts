import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import type { Clock } from '#server/platform/clock.ts'
import { type DateGate, openDateGate, TRUSTED_MS } from '#server/platform/jobs/date-gate.ts'

let readAgoMs: number
let reads: number
/** Reads the date. The promise rejects if the database does not answer. */
let readDate: () => Promise<void>
let gate: DateGate

beforeEach(() => {
  readAgoMs = reads = 0
  readDate = async () => void (readAgoMs = 0)
  const clock: Pick<Clock, 'readAgoMs' | 'refresh' | 'movingTo'> = {
    readAgoMs: () => readAgoMs,
    refresh: () => {
      reads += 1
      return readDate()
    },
    movingTo: () => null,
  }
  gate = openDateGate(clock as Clock)
})

/** Returns the age of the date when the work begins, in milliseconds. */
const ageAtStart = async (ask: () => Promise<unknown>): Promise<number> => {
  await ask()
  return readAgoMs
}
const record = () => gate.pass(async () => undefined, 0)
const show = () => gate.look()

test.each([
  ['a write', record],
  ['a read', show],
])('%s waits if the date was read too long ago', async (_, ask) => {
  readAgoMs = TRUSTED_MS + 1
  expect(await ageAtStart(ask)).toBe(0)
  expect(reads).toBe(1)
})

test.each([
  ['a write', record],
  ['a read', show],
])('%s does not wait for a recent date, and has it read again in time', async (_, ask) => {
  readAgoMs = TRUSTED_MS / 2
  expect(await ageAtStart(ask)).toBe(TRUSTED_MS / 2)
  expect(reads).toBe(0)
  readAgoMs += 1
  readDate = () => new Promise(() => undefined)
  expect(await ageAtStart(ask)).toBe(TRUSTED_MS / 2 + 1)
  // Concurrent callers share the query.
  await ask()
  expect(reads).toBe(1)
})

test('while the database is unavailable, reads use the last known date, and nothing is recorded', async () => {
  readAgoMs = TRUSTED_MS + 1
  readDate = async () => {
    throw new Error('away')
  }
  await show()
  await expect(record()).rejects.toThrow('away')
})

test('a database that does not respond prevents no reads', async () => {
  readAgoMs = TRUSTED_MS + 1
  readDate = () => new Promise(() => undefined)
  expect(await Promise.race([show().then(() => 'shown'), sleep(5_000, 'late', { ref: false })])).toBe('shown')
})

test('a restored bank that is held serves reads, and records nothing', async () => {
  let isHeld = true
  const clock: Pick<Clock, 'readAgoMs' | 'refresh' | 'movingTo'> = {
    readAgoMs: () => 0,
    refresh: async () => undefined,
    movingTo: () => null,
  }
  const heldGate = openDateGate(clock as Clock, () => isHeld)
  await heldGate.look()
  await expect(heldGate.pass(async () => 'done', 1_000)).rejects.toMatchObject({ code: 'unavailable' })
  isHeld = false
  expect(await heldGate.pass(async () => 'done', 1_000)).toBe('done')
})
