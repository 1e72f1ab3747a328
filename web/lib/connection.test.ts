import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { checkConnection, isConnected, noteResponse, noteFailedRequest, watchConnection } from '#web/lib/connection.ts'

const probes = vi.fn<() => Promise<Response>>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { visibilityState: 'visible' })
  vi.stubGlobal('fetch', probes)
  probes.mockReset().mockResolvedValue(Response.json({ status: 'alive' }))
  noteResponse()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const settle = () => vi.advanceTimersByTimeAsync(0)

test('one lost response does not count as offline if the bank responds otherwise', async () => {
  noteFailedRequest()
  await settle()
  expect(probes).toHaveBeenCalledTimes(1)
  expect(isConnected()).toBe(true)
})

test('a connection without any response is offline until there is one', async () => {
  probes.mockRejectedValue(new TypeError('Failed to fetch'))
  noteFailedRequest()
  await settle()
  expect(isConnected()).toBe(false)
  const probesBefore = probes.mock.calls.length
  await vi.advanceTimersByTimeAsync(10_000)
  expect(probes.mock.calls.length).toBeGreaterThan(probesBefore)
  probes.mockResolvedValue(Response.json({ status: 'alive' }))
  await vi.advanceTimersByTimeAsync(30_000)
  expect(isConnected()).toBe(true)
})

test('a response that was on its way when the network failed leaves the connection offline', async () => {
  const listeners = new Map<string, () => void>()
  const listen = (name: string, listener: () => void) => listeners.set(name, listener)
  vi.stubGlobal('window', { addEventListener: listen })
  vi.stubGlobal('document', { visibilityState: 'visible', addEventListener: listen })
  vi.stubGlobal('navigator', { onLine: true })
  watchConnection()
  const onItsWay = Promise.withResolvers<Response>()
  probes.mockReturnValueOnce(onItsWay.promise).mockRejectedValue(new TypeError('Failed to fetch'))
  checkConnection()
  vi.stubGlobal('navigator', { onLine: false })
  listeners.get('offline')?.()
  onItsWay.resolve(Response.json({ status: 'alive' }))
  await settle()
  expect(isConnected()).toBe(false)
  noteResponse()
  await settle()
  expect(isConnected()).toBe(false)
  // A bank on the same machine is reachable without a network.
  probes.mockReset().mockImplementation(async () => Response.json({ status: 'alive' }))
  noteResponse()
  await settle()
  expect(isConnected()).toBe(true)
})

test('a response from another server than the bank does not count', async () => {
  probes.mockImplementation(async () => new Response('<h1>Welcome to the hotel</h1>'))
  checkConnection()
  await settle()
  expect(isConnected()).toBe(false)
})
