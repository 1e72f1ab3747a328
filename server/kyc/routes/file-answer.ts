import { once } from 'node:events'
import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { DOCUMENT_MEDIA, type KycDocument } from '#contract/kyc.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import type { OpenedDocument } from '#server/kyc/documents/documents.ts'
import { openGate } from '#server/kyc/documents/gate.ts'

/** A file, in the description of a route. */
export const file = { schema: z.string().openapi({ type: 'string', format: 'binary' }) }

export const fileResponse = {
  description: 'The file, to be saved and not shown in the page’s place',
  content: Object.fromEntries(DOCUMENT_MEDIA.map((media) => [media, file])) as Record<string, typeof file>,
}

const EXTENSIONS: Record<KycDocument['mediaType'], string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'application/pdf': 'pdf',
}

/**
 * How many documents may be on their way out at a time, and how long one may take: each is in memory until it has gone.
 * Reviewers have places of their own: a customer who reads slowly, in many windows, keeps no reviewer waiting.
 */
const GOING = { customer: openGate(4), reviewer: openGate(4) }
const GOING_MS = 60_000

/** Answers with a document in a way in which no browser runs anything that might be in it. */
export async function answerDocument(
  c: Context<ApiEnv>,
  reader: keyof typeof GOING,
  open: () => Promise<OpenedDocument>,
): Promise<Response> {
  const leave = await GOING[reader]()
  const { outgoing } = c.env
  // Whoever has gone while they waited goes no second time.
  if (outgoing.destroyed) leave()
  else
    void once(outgoing, 'close', { signal: AbortSignal.timeout(GOING_MS) }).then(leave, () => {
      outgoing.destroy()
      leave()
    })
  const { type, mediaType, content } = await open()
  return c.body(content as Buffer<ArrayBuffer>, 200, {
    'content-type': mediaType,
    'content-disposition': `attachment; filename="${type}.${EXTENSIONS[mediaType]}"`,
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
}
