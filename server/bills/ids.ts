import { z } from '@hono/zod-openapi'
import { Refusal } from '#contract/errors.ts'
import { isUuid } from '#server/platform/uuid.ts'

export const idParam = z.object({ id: z.string().max(100) })

/** The id of a bill or a group. Throws Refusal `not_found` for a text that is no id: it names nothing. */
export function readId(text: string): string {
  const id = text.toLowerCase()
  if (!isUuid(id)) throw new Refusal('not_found')
  return id
}
