import type { IncomingMessage } from 'node:http'
import type { DocumentClient } from '#server/kyc/documents/concurrency.ts'
import { checkKind, type MediaType } from '#server/kyc/documents/media-type.ts'
import { spool } from '#server/kyc/documents/spool.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'

/** A file that is being uploaded. */
export type IncomingFile = {
  asker: DocumentClient
  incoming: IncomingMessage
  /** The media type in the request. */
  declared: string
  /** Counts the size of the stored picture. Throws Refusal `too_many_requests`. */
  countRoom(bytes: number): Promise<void>
}

/**
 * Receives an uploaded file of one of the types `media` and passes a picture made from it to `store`. The file itself is not
 * kept. Throws Refusal `too_many_requests` if too many of the customer's files are waiting or their address has sent too much.
 * Also throws the refusals of `spool`, `checkKind` and `renderDocument`.
 */
export async function receiveDocument(
  tools: DocumentTools,
  media: readonly MediaType[],
  { asker: requester, incoming, declared, countRoom }: IncomingFile,
  store: (picture: Buffer) => Promise<void>,
): Promise<void> {
  const spooled = await tools.receiving(requester, () => spool(incoming))
  try {
    const mediaType = checkKind(spooled.head, media, declared)
    await tools.rendering(requester, async () => {
      const picture = await tools.render(spooled.read(), mediaType)
      await countRoom(picture.length)
      await store(picture)
    })
  } finally {
    await spooled.discard()
  }
}
