import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { checkLine, isLineUp, lineAnswered, lineFailed } from '#web/lib/line.ts'

const probes = vi.fn<() => Promise<Response>>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { visibilityState: 'visible' })
  vi.stubGlobal('fetch', probes)
  probes.mockReset().mockResolvedValue(Response.json({ status: 'alive' }))
  lineAnswered()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const settle = () => vi.advanceTimersByTimeAsync(0)

test('one lost response is bad luck where the bank shows a sign of life', async () => {
  lineFailed()
  await settle()
  expect(probes).toHaveBeenCalledTimes(1)
  expect(isLineUp()).toBe(true)
})

test('a line that gives no sign of life is down until there is one again', async () => {
  probes.mockRejectedValue(new TypeError('Failed to fetch'))
  lineFailed()
  await settle()
  expect(isLineUp()).toBe(false)
  const before = probes.mock.calls.length
  await vi.advanceTimersByTimeAsync(10_000)
  expect(probes.mock.calls.length).toBeGreaterThan(before)
  probes.mockResolvedValue(Response.json({ status: 'alive' }))
  await vi.advanceTimersByTimeAsync(30_000)
  expect(isLineUp()).toBe(true)
})

test('what answers in the place of the bank is no sign of life', async () => {
  probes.mockImplementation(async () => new Response('<h1>Welcome to the hotel</h1>'))
  checkLine()
  await settle()
  expect(isLineUp()).toBe(false)
})
