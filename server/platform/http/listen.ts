import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  type Connections,
  countConnections,
} from '#server/platform/http/connections.ts'
import { bodyOf } from '#server/platform/http/errors.ts'
import { HEALTH_PATHS } from '#server/platform/http/health.ts'
import { baseHeaders } from '#server/platform/http/headers.ts'
import { refuseRequest, responseClass } from '#server/platform/http/response.ts'

/**
 * The time that an idle connection stays open, in milliseconds. It is longer than the usual time of proxies, so that the proxy
 * closes the connection first.
 */
const KEEP_ALIVE_MS = 75_000
/** The time in which a request's headers must arrive, in milliseconds. Otherwise the request is refused. */
const HEADERS_MS = 30_000
/** The largest size of a request's first line and headers together, in bytes. */
const MAX_HEADER_BYTES = 16 * 1024

/** Creates the bank's HTTP server, which does not listen yet. */
export function createHttpServer(
  deps: Pick<Deps, 'config' | 'log'>,
  api: Pick<Hono<ApiEnv>, 'fetch'>,
  options: Partial<ConnectionLimits> = {},
): Server {
  const limits = { ...CONNECTION_LIMITS, ...options }
  const base = baseHeaders(deps.config)
  const server = createServer({
    ServerResponse: responseClass(base),
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: Math.min(HEADERS_MS, limits.arrivalMs),
    requestTimeout: limits.arrivalMs,
    connectionsCheckingInterval: limits.checkMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The bank itself refuses requests without a Host header, with the usual body of a refusal.
    requireHostHeader: false,
  })
  server.timeout = limits.silenceMs
  const connections = countConnections({ ...deps, server, base, limits })
  server.on('request', requestListener(deps, api, connections))
  refuseOtherInput(server, connections)
  return server
}

/** Passes requests to the API. An error in a request ends that request and never the process. */
function requestListener({ log }: Pick<Deps, 'log'>, api: Pick<Hono<ApiEnv>, 'fetch'>, connections: Connections) {
  const listener = getRequestListener((request, env) => api.fetch(request, env), {
    // Handles requests whose Host or target makes no valid URL. These reach no route.
    errorHandler: () =>
      Response.json(bodyOf(new Refusal('request_invalid')), { status: 400, headers: { connection: 'close' } }),
  })
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (!connections.begin(incoming, outgoing)) return
    // With two Host headers, different readers would choose different hosts (RFC 9112, section 3.2).
    if (namesTwoHosts(incoming)) return refuseRequest(outgoing, new Refusal('request_invalid'))
    // Load balancers may send health checks without a Host header, but the URL of a request needs a host.
    if (HEALTH_PATHS.has(incoming.url)) incoming.headers.host ??= 'localhost'
    listener(incoming, outgoing).catch((error: unknown) => {
      log.error({ err: error }, 'a request failed outside its handler')
      outgoing.destroy()
    })
  }
}

function namesTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}

/** The codes for Node's errors on input that is no request. Any other error is `request_invalid`. */
const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'request_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_too_slow',
}

/** Refuses input that is no request for a route, with the usual body and headers of a refusal. */
function refuseOtherInput(server: Server, connections: Connections): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else connections.refuse(socket, new Refusal(CODES[error.code ?? ''] ?? 'request_invalid'))
  })
  server.on('connect', (_incoming, socket) => connections.refuse(socket, new Refusal('request_invalid')))
  server.on('checkExpectation', (_incoming, outgoing) => refuseRequest(outgoing, new Refusal('expectation_refused')))
}
