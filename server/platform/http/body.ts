import type { IncomingMessage } from 'node:http'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { Refusal } from '#contract/errors.ts'
import { MAX_DOCUMENT_BYTES } from '#contract/documents.ts'
import { MAX_IMPORT_BODY } from '#contract/statement-formats.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { release } from '#server/platform/process/memory.ts'

/** The largest request body, in bytes. */
export const MAX_BODY = 64 * 1024

const refuse = () => {
  throw new Refusal('request_too_large')
}

const refuseFile = () => {
  throw new Refusal('import_too_large')
}

/** Count a body that does not say how long it is, and keep what they read for the handler. */
const countBody = bodyLimit({ maxSize: MAX_BODY, onError: refuse })
const countFile = bodyLimit({ maxSize: MAX_IMPORT_BODY, onError: refuseFile })

/** Statements of other banks come within JSON, which their routes take more of. */
const IMPORTS = /^\/api\/v1\/imports(?:\/preview)?$/

/** Identity documents come as they are: their route takes larger bodies, and counts what it reads itself. */
const UPLOADS = '/api/v1/kyc/documents/'

/** How much of an upload that was refused is let pass, and for how long: a browser that still sends does not listen. */
const MAX_PASSED = 3 * MAX_DOCUMENT_BYTES
const PASSING_MS = 20_000

/** Lets what is left of a body go by, unread. */
async function letPass(incoming: IncomingMessage): Promise<void> {
  if (incoming.readableEnded || incoming.destroyed) return
  const { promise: gone, resolve } = Promise.withResolvers<void>()
  let passed = 0
  const pass = (chunk: Buffer): void => {
    passed += chunk.length
    release(chunk)
    if (passed > MAX_PASSED) resolve()
  }
  const timer = setTimeout(resolve, PASSING_MS)
  for (const end of ['end', 'close', 'error'] as const) incoming.once(end, () => resolve())
  incoming.on('data', pass).resume()
  await gone
  clearTimeout(timer)
  incoming.off('data', pass)
}

/**
 * Refuses bodies past MAX_BODY; where it is an upload past MAX_DOCUMENT_BYTES, and where it has a file in it past
 * MAX_IMPORT_BODY. Most say how long they are and Node holds
 * them to it, so their body is not touched here, which would cost more than the rest of the way to the handler.
 */
export const limitBody = createMiddleware<ApiEnv>(async (c, next) => {
  const { incoming } = c.env
  const length = Number(incoming.headers['content-length'] ?? 0)
  if (c.req.method === 'PUT' && c.req.path.startsWith(UPLOADS)) {
    try {
      if (length > MAX_DOCUMENT_BYTES) throw new Refusal('document_too_large')
      return await next()
    } finally {
      if (length <= MAX_PASSED) await letPass(incoming)
    }
  }
  const isImport = c.req.method === 'POST' && IMPORTS.test(c.req.path)
  if (incoming.headers['transfer-encoding'] !== undefined) return (isImport ? countFile : countBody)(c, next)
  if (length > (isImport ? MAX_IMPORT_BODY : MAX_BODY)) return (isImport ? refuseFile : refuse)()
  return next()
})
