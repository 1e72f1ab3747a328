import { randomUUID } from 'node:crypto'
import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse, STATUS_CODES } from 'node:http'
import { type Refusal, statusOf } from '#contract/errors.ts'
import { bodyOf } from '#server/platform/http/errors.ts'
import type { Headers } from '#server/platform/http/headers.ts'

/** Node's response to one request, with the id that names the request in the response and in the logs. */
export type BankResponse = ServerResponse & { readonly requestId: string }

type Given = OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined

/**
 * Node's response class with `base` headers added at the one place that every response passes, be it a handler's, a
 * refusal's or Node's own; a header of the response's own comes before the base one. Node asks for a class.
 * Adding them as objects here costs a fraction of what setting them one by one on each response does.
 */
export function responseClass(base: Headers) {
  // A browser puts the headers of a 304 in the place of those it kept with the page, which had ones of its own.
  const { 'content-security-policy': _policy, 'cache-control': _cache, ...unchanged } = base
  return class extends ServerResponse implements BankResponse {
    /** Never taken from the request, so that clients cannot write into the logs. */
    readonly requestId: string = randomUUID()

    override writeHead(status: number, reason?: string | Given, headers?: Given): this {
      const given = typeof reason === 'string' ? headers : reason
      const all: OutgoingHttpHeaders = { ...(status === 304 ? unchanged : base), 'x-request-id': this.requestId }
      const named = Array.isArray(given) ? fromList(given) : given
      for (const name in named) all[name.toLowerCase()] = named[name]
      return super.writeHead(status, all)
    }
  }
}

/** Headers as Node itself gives them in places: names and values in turn. */
function fromList(list: OutgoingHttpHeader[]): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {}
  for (let index = 0; index + 1 < list.length; index += 2) headers[String(list[index])] = list[index + 1]
  return headers
}

const asJson = (refusal: Refusal): string => JSON.stringify(bodyOf(refusal))

/** Refuses a request that reaches no route, and closes its connection: what else is on it cannot be trusted. */
export function refuseRequest(outgoing: ServerResponse, refusal: Refusal): void {
  const headers = { 'content-type': 'application/json', connection: 'close' }
  outgoing.writeHead(statusOf(refusal.code), headers).end(asJson(refusal))
}

/** A whole response as it goes over the wire, for a connection on which Node could read no request. */
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
