import { z } from '@hono/zod-openapi'
import { Refusal } from '#contract/errors.ts'
import { isUuid } from '#server/platform/uuid.ts'

/** The parameters of a route with an id. A customer may send anything as one: readId says what it names. */
export const idParam = z.object({ id: z.string().max(100) })

/** An id as PostgreSQL writes it. Throws Refusal `not_found` for a text that is none: it names nothing. */
export function readId(text: string): string {
  const id = text.toLowerCase()
  if (!isUuid(id)) throw new Refusal('not_found')
  return id
}
