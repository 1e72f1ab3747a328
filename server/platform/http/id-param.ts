import { z } from '@hono/zod-openapi'
import { Refusal } from '#contract/errors.ts'
import { isUuid } from '#server/platform/uuid.ts'

/** The parameters of a route with an id. A client may send any text; `readId` checks it. */
export const idParam = z.object({ id: z.string().max(100) })

/** Returns an id in PostgreSQL's notation. Throws Refusal `not_found` if the text is not an id. */
export function readId(text: string): string {
  const id = text.toLowerCase()
  if (!isUuid(id)) throw new Refusal('not_found')
  return id
}
