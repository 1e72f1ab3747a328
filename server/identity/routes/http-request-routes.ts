import { z } from '@hono/zod-openapi'
import { requestOutcome } from '#contract/identity.ts'
import { routes } from '#server/identity/access/route.ts'
import { withdrawOperation } from '#server/ledger/refusals.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import { countRequest, limiterFor } from '#server/platform/http/rate-limit.ts'
import { readKey } from '#server/platform/http/request-key.ts'
import { withdrawRequest } from '#server/platform/idempotency.ts'

/** The limit of cancellations. It exceeds normal use; each cancellation writes two rows that stay for a day. */
const CANCELLATIONS = { name: 'request-cancel', points: 60, seconds: 60 * 60 }

export const httpRequestRoutes = routes('Identity').post(
  '/requests/{key}/cancel',
  {
    key: 'none',
    refuses: ['idempotency_key_invalid', 'idempotency_key_reserved'],
    summary: 'Cancel a request by its Idempotency-Key',
    description:
      'For a client that has lost the response. The result is whether the request was carried out. If it was not, it never will be, even if it arrives late.',
    params: z.object({ key: z.string().max(100) }),
    response: requestOutcome,
    responseDescription: 'The final result',
  },
  async (c) => {
    const deps = c.deps
    const key = readKey(c.params.key)
    const { id: customerId } = c.customer
    await countRequest(limiterFor(deps, CANCELLATIONS), customerId)
    const carriedOut = await inTransaction(
      deps.db,
      async (trx) =>
        (await withdrawOperation(runIn(trx), key, customerId)) ||
        (await withdrawRequest(trx, deps, { key, customerId })),
    )
    return { carriedOut }
  },
)
