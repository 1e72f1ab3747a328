import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Alarm, REST_MS, setAlarm } from '#server/platform/jobs/alarm.ts'

let alarm: Alarm
let looks: number
let wakes: number
let hears: boolean
/** What a look answers: in how many milliseconds a job is due. */
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
  // The first look, from which on all is quiet.
  await vi.advanceTimersByTimeAsync(500)
  looks = 0
})
afterEach(() => {
  alarm.stop()
  vi.useRealTimers()
})

test('where nothing happens it looks seldom and wakes nobody', async () => {
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

test('many things that happen share a look, and one more sees what was not committed yet', async () => {
  for (let times = 0; times < 50; times += 1) alarm.soon()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(looks).toBe(2)
})

test('what happens during a look is looked at, too', async () => {
  let answer: (dueMs: number | null) => void = () => undefined
  look = () => new Promise((resolve) => (answer = resolve))
  await vi.advanceTimersByTimeAsync(REST_MS)
  alarm.soon()
  look = async () => 0
  answer(null)
  await vi.advanceTimersByTimeAsync(500)
  expect(wakes).toBeGreaterThan(0)
})

test('it looks often while it does not hear of what is added, or the database is away', async () => {
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
