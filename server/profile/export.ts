import { Readable } from 'node:stream'
import { JsonStreamStringify } from 'json-stream-stringify'
import type { Deps } from '#server/platform/deps.ts'
import type { ExportRequest, Exported } from '#server/platform/slice.ts'

/** For whoever opens the file in an editor. */
const INDENT = 2
/** How much is gathered before it is handed on, in characters: small enough for memory, large enough for a socket. */
const PIECE = 32_768

/**
 * Everything the bank holds about a customer, as JSON text in UTF-8, written as it is read: a page is in memory, never
 * the whole. What would open something is left out: digests, keys, codes and the tokens of links.
 */
export function exportOf(deps: Deps, request: ExportRequest): ReadableStream<Uint8Array> {
  const text = new JsonStreamStringify(documentOf(deps, request), read, INDENT, false, PIECE)
  const pieces = text[Symbol.asyncIterator]() as AsyncIterator<string>
  const utf8 = new TextEncoder()
  let isWanted = true
  return new ReadableStream({
    pull: async (stream) => {
      try {
        const { done, value } = await pieces.next()
        // Whoever reads has gone meanwhile: there is nobody to hand it to, and nothing has failed.
        if (!isWanted) return
        if (done) stream.close()
        else stream.enqueue(utf8.encode(value))
      } catch (error) {
        if (!isWanted) return
        // The answer has begun, so all that is left is to break it off: half a file must not look like a whole one.
        deps.log.error({ err: error }, 'an export broke off')
        // Without its cause, which the adapter would print, and with it rows of the database.
        stream.error(new Error('An export broke off'))
      }
    },
    cancel: async () => {
      isWanted = false
      await pieces.return?.()
    },
  })
}

/** Each slice adds its fields (server/platform/slice.ts). */
function documentOf(deps: Deps, request: ExportRequest): Exported {
  const parts = deps.slices.map((slice) => slice.exportOf?.(deps, request) ?? {})
  return Object.assign({ bank: 'Alder', exportedAt: deps.clock.realNow().toISOString() }, ...parts)
}

/** What is still to be read is read when its turn comes. */
function read(_name: string, value: unknown): unknown {
  if (typeof value === 'function') return (value as () => unknown)()
  return isAsyncIterable(value) ? Readable.from(value) : value
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
