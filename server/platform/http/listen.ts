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

/** Longer than the proxies in front usually keep an idle connection, so that it is they who close it. */
const KEEP_ALIVE_MS = 75_000
/** A slow writer cannot hold a connection: headers must have arrived by then. */
const HEADERS_MS = 30_000
/** The most bytes that a request's line and headers may come to. */
const MAX_HEADER_BYTES = 16 * 1024

/** An HTTP server for the bank, not yet listening. */
export function createHttpServer(
  deps: Pick<Deps, 'config' | 'log'>,
  api: Pick<Hono<ApiEnv>, 'fetch'>,
  given: Partial<ConnectionLimits> = {},
): Server {
  const limits = { ...CONNECTION_LIMITS, ...given }
  const base = baseHeaders(deps.config)
  const server = createServer({
    ServerResponse: responseClass(base),
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: Math.min(HEADERS_MS, limits.arrivalMs),
    requestTimeout: limits.arrivalMs,
    connectionsCheckingInterval: limits.checkMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Refused by us instead, with a body.
    requireHostHeader: false,
  })
  server.timeout = limits.silenceMs
  const connections = countConnections({ ...deps, server, base, limits })
  server.on('request', requestListener(deps, api, connections))
  refuseOtherInput(server, connections)
  return server
}

/** Hands requests to the API. Whatever goes wrong with one ends that one, never the process. */
function requestListener({ log }: Pick<Deps, 'log'>, api: Pick<Hono<ApiEnv>, 'fetch'>, connections: Connections) {
  const listener = getRequestListener((request, env) => api.fetch(request, env), {
    // What never reaches a route: a Host or a target that no URL can be made of.
    errorHandler: () =>
      Response.json(bodyOf(new Refusal('request_invalid')), { status: 400, headers: { connection: 'close' } }),
  })
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (!connections.begin(incoming, outgoing)) return
    // Which of two hosts is meant depends on who reads them (RFC 9112, section 3.2).
    if (namesTwoHosts(incoming)) return refuseRequest(outgoing, new Refusal('request_invalid'))
    // The address of a request is made of its host.
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

/** What Node says is wrong with bytes that make no request; anything else is `request_invalid`. */
const CODES: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'request_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_too_slow',
}

/** Refuses what makes no request that a route could take, in the words and with the headers of any refusal. */
function refuseOtherInput(server: Server, connections: Connections): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else connections.refuse(socket, new Refusal(CODES[error.code ?? ''] ?? 'request_invalid'))
  })
  server.on('connect', (_incoming, socket) => connections.refuse(socket, new Refusal('request_invalid')))
  server.on('checkExpectation', (_incoming, outgoing) => refuseRequest(outgoing, new Refusal('expectation_refused')))
}
