import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { whenAwake } from '#server/platform/jobs/awake.ts'

const START = new Date('2026-08-28T09:41:00Z')

beforeEach(() => void vi.useFakeTimers({ now: START, toFake: ['setInterval', 'clearInterval', 'Date'] }))
afterEach(() => void vi.useRealTimers())

test('a process that was stopped hears since when, once; one that is only busy hears nothing', () => {
  const told: Date[] = []
  const stop = whenAwake((since) => told.push(since))
  vi.advanceTimersByTime(5 * 60_000)
  vi.setSystemTime(new Date(START.getTime() + 5 * 60_000 + 30_000))
  vi.advanceTimersByTime(1_000)
  expect(told).toEqual([])
  const slept = new Date(START.getTime() + 5 * 60_000 + 31_000)
  vi.setSystemTime(new Date('2026-08-31T08:00:00Z'))
  vi.advanceTimersByTime(2_000)
  expect(told).toEqual([slept])
  stop()
  vi.setSystemTime(new Date('2026-09-03T08:00:00Z'))
  vi.advanceTimersByTime(2_000)
  expect(told).toHaveLength(1)
})
