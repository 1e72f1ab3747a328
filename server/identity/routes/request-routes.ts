import { z } from '@hono/zod-openapi'
import { requestOutcome } from '#contract/identity.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { withdraw } from '#server/ledger/refusals.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import { count, limiterFor } from '#server/platform/http/rate-limit.ts'
import { readKey } from '#server/platform/http/request-key.ts'
import { withdrawRequest } from '#server/platform/once.ts'

/** Nobody cancels this often; each leaves two rows behind for a day. */
const CANCELLATIONS = { name: 'request-cancel', points: 60, seconds: 60 * 60 }

const cancelRequest = defineRoute({
  method: 'post',
  path: '/requests/{key}/cancel',
  needs: { key: 'none' },
  summary: 'Cancel a request by its Idempotency-Key',
  description:
    'For who lost the response. Says whether the request was carried out; if it was not, it never will be, however late it arrives.',
  tags: ['Identity'],
  request: { params: z.object({ key: z.string().max(100) }) },
  responses: { 200: { description: 'For good', content: { 'application/json': { schema: requestOutcome } } } },
})

export const requestRoutes = router().openapi(cancelRequest, async (c) => {
  const deps = c.get('deps')
  const key = readKey(c.req.valid('param').key)
  const { id: customerId } = c.get('customer')
  await count(limiterFor(deps, CANCELLATIONS), customerId)
  const carriedOut = await inTransaction(
    deps.db,
    async (trx) =>
      (await withdraw(runIn(trx), key, customerId)) || (await withdrawRequest(trx, deps, { key, customerId })),
  )
  return c.json({ carriedOut }, 200)
})
