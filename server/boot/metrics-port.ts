import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Prometheus } from '#server/platform/telemetry/prometheus.ts'
import { StartError } from '#server/platform/process/start-error.ts'

type At = { host: string; port: number }

/** Opens a separate port that serves only GET /metrics. Throws StartError if the port is not available. */
export async function openMetricsPort(
  { host, port }: At,
  prometheus: Pick<Prometheus, 'text' | 'contentType'>,
): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
    // Prometheus may be configured to send query parameters. They are ignored.
    const isThere = request.url?.split('?')[0] === '/metrics'
    if (!isThere || request.method !== 'GET') {
      response.writeHead(isThere ? 405 : 404).end()
      return
    }
    prometheus.text().then(
      (text) => response.writeHead(200, { 'content-type': prometheus.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.maxConnections = 64
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new StartError(reasonOf(error, { host, port }))
  }
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function reasonOf(error: unknown, { host, port }: At): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return `METRICS_PORT ${port} is taken by another program; set METRICS_PORT to a free one.`
  if (code === 'EACCES') return `METRICS_PORT ${port} needs rights that this user does not have.`
  if (code === 'EADDRNOTAVAIL') return `METRICS_HOST ${host} is no address of this machine.`
  return `METRICS_PORT ${port} on ${host} cannot be listened on: ${message}.`
}
