import { Readable } from 'node:stream'
import { JsonStreamStringify } from 'json-stream-stringify'
import type { Deps } from '#server/platform/deps.ts'
import type { ExportRequest, ExportedFields } from '#server/platform/slice.ts'

/** The indentation keeps the file readable in an editor. */
const INDENT = 2
/** The size of a piece, in characters: small enough for memory, large enough for efficient writes to a socket. */
const PIECE = 32_768

/**
 * Returns everything the bank holds about a customer, as JSON text in UTF-8. The stream reads page by page, so the whole
 * document is never in memory. Digests, keys, codes and link tokens are left out, because they could give access to something.
 */
export function exportOf(deps: Deps, request: ExportRequest): ReadableStream<Uint8Array> {
  const text = new JsonStreamStringify(documentOf(deps, request), resolveValue, INDENT, false, PIECE)
  const pieces = text[Symbol.asyncIterator]() as AsyncIterator<string>
  const utf8 = new TextEncoder()
  let isWanted = true
  return new ReadableStream({
    pull: async (stream) => {
      try {
        const { done, value } = await pieces.next()
        // If the reader has closed the connection meanwhile, the stream takes no more pieces.
        if (!isWanted) return
        if (done) stream.close()
        else stream.enqueue(utf8.encode(value))
      } catch (error) {
        if (!isWanted) return
        // The response has already begun, so the stream is broken off. Half a file must not look complete.
        deps.log.error({ err: error }, 'an export was cut off')
        // The new error has no cause: the adapter would print the cause, which can contain database rows.
        stream.error(new Error('An export was cut off'))
      }
    },
    cancel: async () => {
      isWanted = false
      await pieces.return?.()
    },
  })
}

/** Collects the fields of all slices (server/platform/slice.ts). */
function documentOf(deps: Deps, request: ExportRequest): ExportedFields {
  const parts = deps.slices.map((slice) => slice.exportOf?.(deps, request) ?? {})
  return Object.assign({ bank: 'Alder', exportedAt: deps.clock.realNow().toISOString() }, ...parts)
}

/** Calls each function in the document when the serializer reaches it. */
function resolveValue(_name: string, value: unknown): unknown {
  if (typeof value === 'function') return (value as () => unknown)()
  return isAsyncIterable(value) ? Readable.from(value) : value
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
