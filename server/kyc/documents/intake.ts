import type { IncomingMessage } from 'node:http'
import type { Asker } from '#server/kyc/documents/concurrency.ts'
import { checkKind, type MediaType } from '#server/kyc/documents/media-type.ts'
import { spool } from '#server/kyc/documents/spool.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'

/** A file that is on its way in. */
export type Incoming = {
  asker: Asker
  incoming: IncomingMessage
  /** The kind that the request says it is. */
  declared: string
  /** Counts the room that its picture takes. Throws Refusal `too_many_requests`. */
  countRoom(bytes: number): Promise<void>
}

/**
 * Takes in an uploaded file that is one of `media`, and hands on a picture made of it: the file itself is not kept. Throws
 * Refusal `too_many_requests` where too many of the customer's wait or their address has sent too much, and what spool(), checkKind() and renderDocument() throw.
 */
export async function takeIn(
  tools: DocumentTools,
  media: readonly MediaType[],
  { asker, incoming, declared, countRoom }: Incoming,
  keep: (picture: Buffer) => Promise<void>,
): Promise<void> {
  const spooled = await tools.receiving(asker, () => spool(incoming))
  try {
    const mediaType = checkKind(spooled.head, media, declared)
    await tools.rendering(asker, async () => {
      const picture = await tools.render(spooled.read(), mediaType)
      await countRoom(picture.length)
      await keep(picture)
    })
  } finally {
    await spooled.discard()
  }
}
