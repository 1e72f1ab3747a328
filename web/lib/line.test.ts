import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { checkLine, isLineUp, lineAnswered, lineFailed, watchLine } from '#web/lib/line.ts'

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

test('a response that was on its way when the network went leaves the line down', async () => {
  const listeners = new Map<string, () => void>()
  const listen = (name: string, listener: () => void) => listeners.set(name, listener)
  vi.stubGlobal('window', { addEventListener: listen })
  vi.stubGlobal('document', { visibilityState: 'visible', addEventListener: listen })
  vi.stubGlobal('navigator', { onLine: true })
  watchLine()
  const onItsWay = Promise.withResolvers<Response>()
  probes.mockReturnValueOnce(onItsWay.promise).mockRejectedValue(new TypeError('Failed to fetch'))
  checkLine()
  vi.stubGlobal('navigator', { onLine: false })
  listeners.get('offline')?.()
  onItsWay.resolve(Response.json({ status: 'alive' }))
  await settle()
  expect(isLineUp()).toBe(false)
  lineAnswered()
  await settle()
  expect(isLineUp()).toBe(false)
  // A bank on the same machine is there without a network.
  probes.mockReset().mockImplementation(async () => Response.json({ status: 'alive' }))
  lineAnswered()
  await settle()
  expect(isLineUp()).toBe(true)
})

test('what answers in the place of the bank is no sign of life', async () => {
  probes.mockImplementation(async () => new Response('<h1>Welcome to the hotel</h1>'))
  checkLine()
  await settle()
  expect(isLineUp()).toBe(false)
})
