import { z } from '@hono/zod-openapi'
import { requestOutcome } from '#contract/identity.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { findKnown } from '#server/ledger/refusals.ts'
import { runOn } from '#server/platform/db/run.ts'
import { readKey } from '#server/platform/http/request-key.ts'
import { isKnownRequest } from '#server/platform/once.ts'

const getRequest = defineRoute({
  method: 'get',
  path: '/requests/{key}',
  summary: 'Whether a request was carried out, by its Idempotency-Key',
  description:
    'For who lost the response and does not want to send the request again. A request that is still on its way is not carried out yet.',
  tags: ['Identity'],
  request: { params: z.object({ key: z.string().max(100) }) },
  responses: { 200: { description: 'As of now', content: { 'application/json': { schema: requestOutcome } } } },
})

export const requestRoutes = router().openapi(getRequest, async (c) => {
  const { pool, db } = c.get('deps')
  const key = readKey(c.req.valid('param').key)
  const operation = await findKnown(runOn(pool), key)
  return c.json({ carriedOut: operation ? operation.refusal === null : await isKnownRequest(db, key) }, 200)
})
