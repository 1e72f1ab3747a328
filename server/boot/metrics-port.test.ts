import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openMetricsPort } from '#server/boot/metrics-port.ts'
import { openPrometheus } from '#server/platform/telemetry/prometheus.ts'

const prometheus = openPrometheus(pino({ level: 'silent' }))

test('the port serves metrics and nothing else', async () => {
  const { port, close } = await openMetricsPort({ host: '127.0.0.1', port: 0 }, prometheus)
  const fetchPath = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  const metrics = await fetchPath('/metrics')
  expect(metrics.status).toBe(200)
  expect(metrics.headers.get('content-type')).toContain('text/plain; version=0.0.4')
  expect(await metrics.text()).toContain('nodejs_eventloop_lag_seconds')
  for (const path of ['/', '/healthz', '/api/v1/session', '/metrics/x', '/?/metrics'])
    expect((await fetchPath(path)).status).toBe(404)
  expect((await fetchPath('/metrics?match[]=up')).status).toBe(200)
  expect((await fetchPath('/metrics', { method: 'POST', body: 'x' })).status).toBe(405)
  await close()
})

test('a port or an address that is not available is reported in one sentence', async () => {
  const first = await openMetricsPort({ host: '127.0.0.1', port: 0 }, prometheus)
  const { port } = first
  await expect(openMetricsPort({ host: '127.0.0.1', port }, prometheus)).rejects.toThrow(
    `METRICS_PORT ${port} is taken by another program; set METRICS_PORT to a free one.`,
  )
  await expect(openMetricsPort({ host: '192.0.2.1', port: 0 }, prometheus)).rejects.toThrow(
    'METRICS_HOST 192.0.2.1 is no address of this machine.',
  )
  await first.close()
})
