import type { Deps } from '#server/platform/deps.ts'
import { jsonPieces, type Written } from '#server/platform/http/json-stream.ts'
import type { ExportRequest } from '#server/platform/slice.ts'

/**
 * Everything the bank holds about a customer, as JSON text in UTF-8, written as it is read: a page is in memory, never
 * the whole. What would open something is left out: digests, keys, codes and the tokens of links.
 */
export function exportOf(deps: Deps, request: ExportRequest): ReadableStream<Uint8Array> {
  const pieces = jsonPieces(documentOf(deps, request))
  const utf8 = new TextEncoder()
  return new ReadableStream({
    pull: async (stream) => {
      try {
        const { done, value } = await pieces.next()
        if (done) stream.close()
        else stream.enqueue(utf8.encode(value))
      } catch (error) {
        // The answer has begun, so all that is left is to break it off: half a file must not look like a whole one.
        deps.log.error({ err: error }, 'an export broke off')
        // Without its cause, which the adapter would print, and with it rows of the database.
        stream.error(new Error('An export broke off'))
      }
    },
    cancel: async () => void (await pieces.return(undefined)),
  })
}

/** Each slice adds its fields (server/platform/slice.ts). */
function documentOf(deps: Deps, request: ExportRequest): Written {
  const parts = deps.slices.map((slice) => slice.exportOf?.(deps, request) ?? {})
  return Object.assign({ bank: 'Alder', exportedAt: deps.clock.realNow().toISOString() }, ...parts)
}
