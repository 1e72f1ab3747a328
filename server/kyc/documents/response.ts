import { once } from 'node:events'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { countPicture } from '#server/identity/access/operations.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { clientSite } from '#server/platform/http/caller.ts'
import type { Asker } from '#server/kyc/documents/concurrency.ts'
import type { Incoming } from '#server/kyc/documents/intake.ts'
import type { DocumentTools } from '#server/kyc/documents/tools.ts'

/** A file, in the description of a route. */
export const file = { schema: z.string().openapi({ type: 'string', format: 'binary' }) }

export const pictureResponse = {
  description: 'A picture of the document, to be saved and not shown in the page’s place',
  content: { 'image/jpeg': file },
}

/** How long a document may take on its way out, in milliseconds. */
const SENDING_MS = 60_000

/** A picture that goes out. `type`: what its file is called. */
type Opened = { type: string; content: Buffer }

/** The kind of file that a request says its body is. */
export function declaredKind(c: Context<ApiEnv>): string {
  return (c.req.header('content-type') ?? '').replace(/;.*$/s, '').trim().toLowerCase()
}

/** Whom a request counts for. */
function askerOf(c: Context<ApiEnv>): Asker {
  return { customerId: c.get('customer').id, source: clientSite(c) }
}

/** The file that a request brings. */
export const incomingFile = (c: Context<ApiEnv>, declared: string): Incoming => ({
  asker: askerOf(c),
  incoming: c.env.incoming,
  declared,
  countRoom: (bytes) => countPicture(c, bytes),
})

/** Responds with a document in a way in which no browser runs anything that might be in it. */
export async function respondWithDocument(
  c: Context<ApiEnv>,
  tools: DocumentTools,
  reader: keyof DocumentTools['sending'],
  open: (asker: Asker) => Promise<Opened>,
): Promise<Response> {
  const asker = askerOf(c)
  const opened = Promise.withResolvers<Opened>()
  // The share is held until the response has gone, or its reader has.
  void tools.sending[reader](asker, async () => {
    const gone = responseGone(c)
    opened.resolve(open(asker))
    await gone
  }).catch((error: unknown) => opened.reject(error))
  const { type, content } = await opened.promise
  return c.body(content as Buffer<ArrayBuffer>, 200, {
    'content-type': 'image/jpeg',
    'content-disposition': `attachment; filename="${type}.jpg"`,
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
}

/** Waits until a response has gone out; one that takes too long is given up. */
async function responseGone(c: Context<ApiEnv>): Promise<void> {
  const { outgoing } = c.env
  if (outgoing.destroyed) return
  await once(outgoing, 'close', { signal: AbortSignal.timeout(SENDING_MS) }).catch(() => outgoing.destroy())
}
