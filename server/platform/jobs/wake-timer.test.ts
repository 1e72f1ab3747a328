import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Alarm, REST_MS, setAlarm } from '#server/platform/jobs/wake-timer.ts'

let alarm: Alarm
let lookCount: number
let wakeCount: number
let canHear: boolean
/** Returns the time until the next job is due, in milliseconds. */
let look: () => Promise<number | null>

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  lookCount = wakeCount = 0
  canHear = true
  look = async () => null
  alarm = setAlarm({
    look: () => {
      lookCount += 1
      return look()
    },
    wake: () => void (wakeCount += 1),
    hears: () => canHear,
  })
  // This is the first look. Nothing happens after it.
  await vi.advanceTimersByTimeAsync(500)
  lookCount = 0
})
afterEach(() => {
  alarm.stop()
  vi.useRealTimers()
})

test('without events it checks rarely and wakes no worker', async () => {
  await vi.advanceTimersByTimeAsync(60_000)
  expect(lookCount).toBe(60_000 / REST_MS)
  expect(wakeCount).toBe(0)
})

test('it wakes the workers when the next job is due', async () => {
  const dueAt = performance.now() + 10_500
  look = async () => dueAt - performance.now()
  await vi.advanceTimersByTimeAsync(10_400)
  expect(wakeCount).toBe(0)
  await vi.advanceTimersByTimeAsync(200)
  expect(wakeCount).toBeGreaterThan(0)
})

test('many simultaneous events share a check, and one more sees uncommitted jobs', async () => {
  for (let times = 0; times < 50; times += 1) alarm.soon()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(lookCount).toBe(2)
})

test('an event during a check causes another check', async () => {
  let answer: (dueMs: number | null) => void = () => undefined
  look = () => new Promise((resolve) => (answer = resolve))
  await vi.advanceTimersByTimeAsync(REST_MS)
  alarm.soon()
  look = async () => 0
  answer(null)
  await vi.advanceTimersByTimeAsync(500)
  expect(wakeCount).toBeGreaterThan(0)
})

test('it checks often while its connection is lost, or the database is unavailable', async () => {
  canHear = false
  await vi.advanceTimersByTimeAsync(REST_MS + 10_000)
  expect(lookCount).toBeGreaterThanOrEqual(10)
  canHear = true
  look = async () => {
    throw new Error('away')
  }
  lookCount = 0
  await vi.advanceTimersByTimeAsync(10_000)
  expect(lookCount).toBeGreaterThanOrEqual(9)
})

test('it ends', async () => {
  alarm.stop()
  alarm.soon()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(lookCount).toBe(0)
})
