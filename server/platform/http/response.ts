import { randomUUID } from 'node:crypto'
import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse, STATUS_CODES } from 'node:http'
import { type Refusal, statusOf } from '#contract/errors.ts'
import { bodyOf } from '#server/platform/http/errors.ts'
import type { Headers } from '#server/platform/http/headers.ts'

/** Node's response to one request, with an id that identifies the request in the response and in the logs. */
export type BankResponse = ServerResponse & { readonly requestId: string }

type HeaderArgument = OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined

/**
 * Returns a subclass of Node's response that adds the `base` headers to every response of a handler, of a refusal or of Node
 * itself. A header of the response overrides the base header with its name. Node requires a class here. Adding the headers as
 * one object is much cheaper than setting each of them on every response.
 */
export function responseClass(base: Headers) {
  // A browser replaces the headers of a cached page with those of a 304, and the page had its own values for these two.
  const { 'content-security-policy': _policy, 'cache-control': _cache, ...unchangedHeaders } = base
  return class extends ServerResponse implements BankResponse {
    /** The id never comes from the request, so that clients cannot write into the logs. */
    readonly requestId: string = randomUUID()

    override writeHead(status: number, reason?: string | HeaderArgument, headers?: HeaderArgument): this {
      const headerArgument = typeof reason === 'string' ? headers : reason
      const allHeaders: OutgoingHttpHeaders = {
        ...(status === 304 ? unchangedHeaders : base),
        'x-request-id': this.requestId,
      }
      const headersByName = Array.isArray(headerArgument) ? fromList(headerArgument) : headerArgument
      for (const name in headersByName) allHeaders[name.toLowerCase()] = headersByName[name]
      return super.writeHead(status, allHeaders)
    }
  }
}

/** Converts headers from Node's list form, in which names and values alternate. */
function fromList(list: OutgoingHttpHeader[]): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {}
  for (let index = 0; index + 1 < list.length; index += 2) headers[String(list[index])] = list[index + 1]
  return headers
}

const asJson = (refusal: Refusal): string => JSON.stringify(bodyOf(refusal))

/** Refuses a request that reaches no route, and closes its connection, because the rest of its data cannot be trusted. */
export function refuseRequest(outgoing: ServerResponse, refusal: Refusal): void {
  const headers = { 'content-type': 'application/json', connection: 'close' }
  outgoing.writeHead(statusOf(refusal.code), headers).end(asJson(refusal))
}

/** Returns a complete raw response, for a connection on which Node could not read a request. */
export function rawRefusal(base: Headers, refusal: Refusal): string {
  const body = asJson(refusal)
  const headers = {
    ...base,
    'x-request-id': randomUUID(),
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${statusOf(refusal.code)} ${STATUS_CODES[statusOf(refusal.code)]}\r\n${lines.join('')}\r\n${body}`
}
