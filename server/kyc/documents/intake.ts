import type { IncomingMessage } from 'node:http'
import type { Asker } from '#server/kyc/documents/concurrency.ts'
import { checkKind, type MediaType } from '#server/kyc/documents/media-type.ts'
import { spool } from '#server/kyc/documents/spool.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'

/** A file that is on its way in. `declared`: the kind that the request says it is. */
export type Incoming = { asker: Asker; incoming: IncomingMessage; declared: string }

/**
 * Takes in an uploaded file that is one of `media`, and hands on a picture made of it: the file itself is not kept. Throws
 * Refusal `too_many_requests` where too many of the customer's wait, and what spool(), checkKind() and renderDocument() throw.
 */
export async function takeIn(
  tools: DocumentTools,
  media: readonly MediaType[],
  { asker, incoming, declared }: Incoming,
  keep: (picture: Buffer) => Promise<void>,
): Promise<void> {
  const spooled = await tools.receiving(asker, () => spool(incoming))
  try {
    const mediaType = checkKind(spooled.head, media, declared)
    await tools.rendering(asker, async () => keep(await tools.render(spooled.read(), mediaType)))
  } finally {
    await spooled.discard()
  }
}
