import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { answerWith } from '#server/platform/http/answer.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { bodyOf } from '#server/platform/http/errors.ts'
import { baseHeaders } from '#server/platform/http/headers.ts'

/** Longer than the proxies in front usually keep an idle connection, so that it is they who close it. */
const KEEP_ALIVE_MS = 75_000
/** Nobody holds a connection by writing slowly: headers must have arrived by then, */
const HEADERS_MS = 30_000
/** and all of a request by then, which is what a photo of 10 MB takes over half a megabit a second. */
const ARRIVAL_MS = 180_000

/** An HTTP server for the bank, not yet listening. */
export function createHttpServer(deps: Pick<Deps, 'config' | 'log'>, api: Pick<Hono<ApiEnv>, 'fetch'>): Server {
  const listener = getRequestListener((request, env) => api.fetch(request, env), {
    // What never reaches a route: a Host or a target that no URL can be made of.
    errorHandler: () => Response.json(bodyOf(new Refusal('request_invalid')), { status: 400 }),
  })
  const options = {
    ServerResponse: answerWith(baseHeaders(deps.config)),
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: HEADERS_MS,
    requestTimeout: ARRIVAL_MS,
  }
  return createServer(options, (incoming, outgoing) => void listener(incoming, outgoing))
}
