import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import type { Clock } from '#server/platform/clock.ts'
import { type DateGate, openDateGate, TRUSTED_MS } from '#server/platform/jobs/date-gate.ts'

let readAgoMs: number
let reads: number
/** Whether the database answers. */
let read: () => Promise<void>
let gate: DateGate

beforeEach(() => {
  readAgoMs = reads = 0
  read = async () => void (readAgoMs = 0)
  const clock: Pick<Clock, 'readAgoMs' | 'refresh' | 'movingTo'> = {
    readAgoMs: () => readAgoMs,
    refresh: () => {
      reads += 1
      return read()
    },
    movingTo: () => null,
  }
  gate = openDateGate(clock as Clock)
})

/** How many milliseconds ago the date was read when some work begins. */
const known = async (ask: () => Promise<unknown>): Promise<number> => {
  await ask()
  return readAgoMs
}
const record = () => gate.pass(async () => undefined, 0)
const show = () => gate.look()

test.each([
  ['what is recorded', record],
  ['what is shown', show],
])('%s waits for a date that was read too long ago to be trusted', async (_, ask) => {
  readAgoMs = TRUSTED_MS + 1
  expect(await known(ask)).toBe(0)
  expect(reads).toBe(1)
})

test.each([
  ['what is recorded', record],
  ['what is shown', show],
])('%s waits for no date that can be trusted, and has it read again before it cannot', async (_, ask) => {
  readAgoMs = TRUSTED_MS / 2
  expect(await known(ask)).toBe(TRUSTED_MS / 2)
  expect(reads).toBe(0)
  readAgoMs += 1
  read = () => new Promise(() => undefined)
  expect(await known(ask)).toBe(TRUSTED_MS / 2 + 1)
  // Those who come meanwhile share it.
  await ask()
  expect(reads).toBe(1)
})

test('while the database is away, what is shown is shown as of the date that is known; nothing is recorded', async () => {
  readAgoMs = TRUSTED_MS + 1
  read = async () => {
    throw new Error('away')
  }
  await show()
  await expect(record()).rejects.toThrow('away')
})

test('a database that does not answer keeps nothing from being shown', async () => {
  readAgoMs = TRUSTED_MS + 1
  read = () => new Promise(() => undefined)
  expect(await Promise.race([show().then(() => 'shown'), sleep(5_000, 'late', { ref: false })])).toBe('shown')
})

test('a restored bank that is held shows everything, and records nothing', async () => {
  let isHeld = true
  const clock: Pick<Clock, 'readAgoMs' | 'refresh' | 'movingTo'> = {
    readAgoMs: () => 0,
    refresh: async () => undefined,
    movingTo: () => null,
  }
  const held = openDateGate(clock as Clock, () => isHeld)
  await held.look()
  await expect(held.pass(async () => 'done', 1_000)).rejects.toMatchObject({ code: 'unavailable' })
  isHeld = false
  expect(await held.pass(async () => 'done', 1_000)).toBe('done')
})
