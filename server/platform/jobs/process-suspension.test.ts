import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchForSuspension } from '#server/platform/jobs/process-suspension.ts'

const START = new Date('2026-08-28T09:41:00Z')

beforeEach(() => void vi.useFakeTimers({ now: START, toFake: ['setInterval', 'clearInterval', 'Date'] }))
afterEach(() => void vi.useRealTimers())

test('a suspended process gets the start of its suspension once, and a busy process gets none', () => {
  const notifiedAt: Date[] = []
  const stop = watchForSuspension((since) => notifiedAt.push(since))
  vi.advanceTimersByTime(5 * 60_000)
  vi.setSystemTime(new Date(START.getTime() + 5 * 60_000 + 30_000))
  vi.advanceTimersByTime(1_000)
  expect(notifiedAt).toEqual([])
  const sleepStart = new Date(START.getTime() + 5 * 60_000 + 31_000)
  vi.setSystemTime(new Date('2026-08-31T08:00:00Z'))
  vi.advanceTimersByTime(2_000)
  expect(notifiedAt).toEqual([sleepStart])
  stop()
  vi.setSystemTime(new Date('2026-09-03T08:00:00Z'))
  vi.advanceTimersByTime(2_000)
  expect(notifiedAt).toHaveLength(1)
})
