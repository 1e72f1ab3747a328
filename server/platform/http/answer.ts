import { randomUUID } from 'node:crypto'
import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Headers } from '#server/platform/http/headers.ts'

/** Node's response to one request, with the id that names the request in the answer and in the logs. */
export type Answer = ServerResponse & { readonly requestId: string }

type Given = OutgoingHttpHeaders | OutgoingHttpHeader[] | undefined

/**
 * Node's response class with `base` headers added at the one place that every answer passes, be it a handler's, a
 * refusal's or the adapter's own; a header of the answer's own comes before the base one. Node asks for a class.
 * Adding them as objects here costs a fraction of what setting them one by one on each answer does.
 */
export function answerWith(base: Headers) {
  // A browser puts the headers of a 304 in the place of those it kept with the page, which had ones of its own.
  const { 'content-security-policy': _policy, 'cache-control': _cache, ...unchanged } = base
  return class extends ServerResponse implements Answer {
    /** Never taken from outside, so that nobody can write into our logs. */
    readonly requestId: string = randomUUID()

    override writeHead(status: number, reason?: string | Given, headers?: Given): this {
      const given = typeof reason === 'string' ? headers : reason
      const all: OutgoingHttpHeaders = { ...(status === 304 ? unchanged : base), 'x-request-id': this.requestId }
      if (Array.isArray(given)) throw new TypeError('Headers come as an object')
      for (const name in given) all[name.toLowerCase()] = given[name]
      return super.writeHead(status, all)
    }
  }
}
