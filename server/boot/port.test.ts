import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { type ReservedPort, reservePort } from '#server/boot/port.ts'

const reserved: ReservedPort[] = []
const reserve = async (port: number, fixed: boolean): Promise<ReservedPort> => {
  const taken = await reservePort({ port, fixed })
  reserved.push(taken)
  return taken
}
afterEach(() => {
  for (const taken of reserved.splice(0)) taken.release()
})

test('a port that was not asked for by number gives way to the next free one', async () => {
  const first = await reserve(0, false)
  const second = await reserve(first.port, false)
  expect(second.port).toBeGreaterThan(first.port)
})

test('a port that was asked for is not swapped for another', async () => {
  const { port } = await reserve(0, true)
  await expect(reserve(port, true)).rejects.toThrow(`PORT ${port} is taken by another program; set PORT to a free one.`)
})

test('requests before the bank is open are refused, and answered afterwards', async () => {
  const door = await reserve(0, true)
  const url = `http://localhost:${door.port}`
  await expect(fetch(url)).rejects.toThrow('fetch failed')
  const servers = door.serveWith(() => createServer((_request, response) => response.end('welcome')))
  expect(await (await fetch(url)).text()).toBe('welcome')
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
})

test('there is no port after the last one', async () => {
  await reserve(65_535, false).catch(() => undefined)
  await expect(reserve(65_535, false)).rejects.toThrow('No port from 65535 on is free')
})

/** Elsewhere a machine has no loopback address but the first. */
test.runIf(process.platform === 'linux')('it listens on the addresses that it was told, and on no other', async () => {
  const opened = async (hosts: string[]) => {
    const door = await reservePort({ port: 0, fixed: true, hosts })
    const servers = door.serveWith(() => createServer((_request, response) => response.end('welcome')))
    const close = () => servers.forEach((server) => (server.close(), server.closeAllConnections()))
    return { ...door, close }
  }
  const reaches = (host: string, port: number) =>
    fetch(`http://${host}:${port}`).then(
      ({ ok }) => ok,
      () => false,
    )
  const all = await opened(['0.0.0.0'])
  expect(all.url).toBe(`http://localhost:${all.port}`)
  expect([await reaches('127.0.0.1', all.port), await reaches('127.0.0.2', all.port)]).toEqual([true, true])
  all.close()
  const one = await opened(['127.0.0.2'])
  expect(one.url).toBe(`http://127.0.0.2:${one.port}`)
  expect([await reaches('127.0.0.1', one.port), await reaches('127.0.0.2', one.port)]).toEqual([false, true])
  one.close()
  for (const hosts of [
    ['0.0.0.0', '127.0.0.2'],
    ['127.0.0.2', '0.0.0.0'],
  ]) {
    const covered = await opened(hosts)
    expect([await reaches('127.0.0.1', covered.port), await reaches('127.0.0.2', covered.port)]).toEqual([true, true])
    covered.close()
  }
  const two = await opened(['127.0.0.2', '127.0.0.3'])
  expect([await reaches('127.0.0.3', two.port), await reaches('127.0.0.2', two.port)]).toEqual([true, true])
  two.close()
})

test('an address that the machine does not have stops the start', async () => {
  // RFC 5737 keeps it for documentation.
  await expect(reservePort({ port: 0, fixed: true, hosts: ['127.0.0.1', '192.0.2.1'] })).rejects.toThrow(
    'LISTEN_HOST 192.0.2.1 is no address of this machine.',
  )
})
