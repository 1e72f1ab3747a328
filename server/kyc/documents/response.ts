import { once } from 'node:events'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { countPicture } from '#server/identity/access/operations.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { clientSite } from '#server/platform/http/caller.ts'
import type { DocumentClient } from '#server/kyc/documents/concurrency.ts'
import type { IncomingFile } from '#server/kyc/documents/intake.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'

/** A file in a route's OpenAPI description. */
export const fileSchema = { schema: z.string().openapi({ type: 'string', format: 'binary' }) }

export const pictureResponse = {
  description: 'A picture of the document, as an attachment',
  content: { 'image/jpeg': fileSchema },
}

/** The time limit for sending a document, in milliseconds. */
const SENDING_MS = 60_000

/** A picture for a response. `type` is the document's type, which becomes part of the file name. */
type DecryptedFile = { type: string; content: Buffer }

/** Returns the media type that the request declares for its body. */
export function declaredKind(c: Context<ApiEnv>): string {
  return (c.req.header('content-type') ?? '').replace(/;.*$/s, '').trim().toLowerCase()
}

/** Returns the customer that a request counts for, and the part of their address that concurrency limits count. */
function askerOf(c: Context<ApiEnv>): DocumentClient {
  return { customerId: c.get('customer').id, source: clientSite(c) }
}

/** Returns the file in a request's body. */
export const incomingFile = (c: Context<ApiEnv>, declared: string): IncomingFile => ({
  asker: askerOf(c),
  incoming: c.env.incoming,
  declared,
  countRoom: (bytes) => countPicture(c, bytes),
})

/** Responds with a document under headers that keep browsers from running anything in it. */
export async function respondWithDocument(
  c: Context<ApiEnv>,
  tools: DocumentTools,
  reader: keyof DocumentTools['sending'],
  open: (requester: DocumentClient) => Promise<DecryptedFile>,
): Promise<Response> {
  const requester = askerOf(c)
  const openedFile = Promise.withResolvers<DecryptedFile>()
  // The slot is held until the response is complete or the reader has disconnected.
  void tools.sending[reader](requester, async () => {
    const gone = responseGone(c)
    openedFile.resolve(open(requester))
    await gone
  }).catch((error: unknown) => openedFile.reject(error))
  const { type, content } = await openedFile.promise
  return c.body(content as Buffer<ArrayBuffer>, 200, {
    'content-type': 'image/jpeg',
    'content-disposition': `attachment; filename="${type}.jpg"`,
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
}

/** Waits until a response is complete. Closes the connection if that takes too long. */
async function responseGone(c: Context<ApiEnv>): Promise<void> {
  const { outgoing } = c.env
  if (outgoing.destroyed) return
  await once(outgoing, 'close', { signal: AbortSignal.timeout(SENDING_MS) }).catch(() => outgoing.destroy())
}
