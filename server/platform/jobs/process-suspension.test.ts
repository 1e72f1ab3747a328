import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchForSuspension } from '#server/platform/jobs/process-suspension.ts'

const START = new Date('2026-08-28T09:41:00Z')

beforeEach(() => void vi.useFakeTimers({ now: START, toFake: ['setInterval', 'clearInterval', 'Date'] }))
afterEach(() => void vi.useRealTimers())

test('a suspension is reported once with its start, and a busy process reports none', () => {
  const reportedStarts: Date[] = []
  const stop = watchForSuspension((since) => reportedStarts.push(since))
  const idleMs = 5 * 60_000
  vi.advanceTimersByTime(idleMs)
  // The process is busy, and its timers are late.
  const busyMs = 30_000
  vi.setSystemTime(new Date(START.getTime() + idleMs + busyMs))
  vi.advanceTimersByTime(1_000)
  expect(reportedStarts).toEqual([])
  const suspensionStart = new Date(START.getTime() + idleMs + busyMs + 1_000)
  vi.setSystemTime(new Date('2026-08-31T08:00:00Z'))
  vi.advanceTimersByTime(2_000)
  expect(reportedStarts).toEqual([suspensionStart])
  stop()
  vi.setSystemTime(new Date('2026-09-03T08:00:00Z'))
  vi.advanceTimersByTime(2_000)
  expect(reportedStarts).toHaveLength(1)
})
