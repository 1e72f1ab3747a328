import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Alarm, REST_MS, setAlarm } from '#server/platform/jobs/wake-timer.ts'

let alarm: Alarm
let looks: number
let wakes: number
let hears: boolean
/** Returns the time until the next job is due, in milliseconds. */
let look: () => Promise<number | null>

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  looks = wakes = 0
  hears = true
  look = async () => null
  alarm = setAlarm({
    look: () => {
      looks += 1
      return look()
    },
    wake: () => void (wakes += 1),
    hears: () => hears,
  })
  // This is the first look. Nothing happens after it.
  await vi.advanceTimersByTimeAsync(500)
  looks = 0
})
afterEach(() => {
  alarm.stop()
  vi.useRealTimers()
})

test('without events it checks rarely and wakes no worker', async () => {
  await vi.advanceTimersByTimeAsync(60_000)
  expect(looks).toBe(60_000 / REST_MS)
  expect(wakes).toBe(0)
})

test('it wakes the workers when the next job is due', async () => {
  const dueAt = performance.now() + 10_500
  look = async () => dueAt - performance.now()
  await vi.advanceTimersByTimeAsync(10_400)
  expect(wakes).toBe(0)
  await vi.advanceTimersByTimeAsync(200)
  expect(wakes).toBeGreaterThan(0)
})

test('many simultaneous events share a check, and one more sees uncommitted jobs', async () => {
  for (let times = 0; times < 50; times += 1) alarm.soon()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(looks).toBe(2)
})

test('an event during a check causes another check', async () => {
  let answer: (dueMs: number | null) => void = () => undefined
  look = () => new Promise((resolve) => (answer = resolve))
  await vi.advanceTimersByTimeAsync(REST_MS)
  alarm.soon()
  look = async () => 0
  answer(null)
  await vi.advanceTimersByTimeAsync(500)
  expect(wakes).toBeGreaterThan(0)
})

test('it checks often while its connection is lost, or the database is unavailable', async () => {
  hears = false
  await vi.advanceTimersByTimeAsync(REST_MS + 10_000)
  expect(looks).toBeGreaterThanOrEqual(10)
  hears = true
  look = async () => {
    throw new Error('away')
  }
  looks = 0
  await vi.advanceTimersByTimeAsync(10_000)
  expect(looks).toBeGreaterThanOrEqual(9)
})

test('it ends', async () => {
  alarm.stop()
  alarm.soon()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(looks).toBe(0)
})
