import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { type ReservedPort, reservePort } from '#server/boot/port.ts'

const reserved: ReservedPort[] = []
const reserve = async (port: number, fixed: boolean): Promise<ReservedPort> => {
  const reservation = await reservePort({ port, fixed })
  reserved.push(reservation)
  return reservation
}
afterEach(() => {
  for (const port of reserved.splice(0)) port.release()
})

test('if the default port is in use, the server takes the next free one', async () => {
  const first = await reserve(0, false)
  const second = await reserve(first.port, false)
  expect(second.port).toBeGreaterThan(first.port)
})

test('a configured port is not replaced by another', async () => {
  const { port } = await reserve(0, true)
  await expect(reserve(port, true)).rejects.toThrow(`PORT ${port} is taken by another program; set PORT to a free one.`)
})

test('requests are refused before the bank is open, and answered afterwards', async () => {
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

/** Other systems have no loopback address except the first one. */
test.runIf(process.platform === 'linux')('it listens on the configured addresses, and on no other', async () => {
  const openPort = async (hosts: string[]) => {
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
  const allAddresses = await openPort(['0.0.0.0'])
  expect(allAddresses.url).toBe(`http://localhost:${allAddresses.port}`)
  expect([await reaches('127.0.0.1', allAddresses.port), await reaches('127.0.0.2', allAddresses.port)]).toEqual([
    true,
    true,
  ])
  allAddresses.close()
  const reservation = await openPort(['127.0.0.2'])
  expect(reservation.url).toBe(`http://127.0.0.2:${reservation.port}`)
  expect([await reaches('127.0.0.1', reservation.port), await reaches('127.0.0.2', reservation.port)]).toEqual([
    false,
    true,
  ])
  reservation.close()
  for (const hosts of [
    ['0.0.0.0', '127.0.0.2'],
    ['127.0.0.2', '0.0.0.0'],
  ]) {
    const covered = await openPort(hosts)
    expect([await reaches('127.0.0.1', covered.port), await reaches('127.0.0.2', covered.port)]).toEqual([true, true])
    covered.close()
  }
  const two = await openPort(['127.0.0.2', '127.0.0.3'])
  expect([await reaches('127.0.0.3', two.port), await reaches('127.0.0.2', two.port)]).toEqual([true, true])
  two.close()
})

test('an address that the machine does not have stops the start', async () => {
  // RFC 5737 reserves this address for documentation.
  await expect(reservePort({ port: 0, fixed: true, hosts: ['127.0.0.1', '192.0.2.1'] })).rejects.toThrow(
    'LISTEN_HOST 192.0.2.1 is no address of this machine.',
  )
})
