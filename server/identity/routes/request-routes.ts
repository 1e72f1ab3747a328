import { z } from '@hono/zod-openapi'
import { requestOutcome } from '#contract/identity.ts'
import { routes } from '#server/identity/access/route.ts'
import { withdraw } from '#server/ledger/refusals.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import { count, limiterFor } from '#server/platform/http/rate-limit.ts'
import { readKey } from '#server/platform/http/request-key.ts'
import { withdrawRequest } from '#server/platform/once.ts'

/** Nobody cancels this often; each leaves two rows behind for a day. */
const CANCELLATIONS = { name: 'request-cancel', points: 60, seconds: 60 * 60 }

export const requestRoutes = routes('Identity').post(
  '/requests/{key}/cancel',
  {
    key: 'none',
    refuses: ['idempotency_key_invalid', 'idempotency_key_reserved'],
    summary: 'Cancel a request by its Idempotency-Key',
    description:
      'For who lost the response. Says whether the request was carried out; if it was not, it never will be, however late it arrives.',
    params: z.object({ key: z.string().max(100) }),
    response: requestOutcome,
    responseDescription: 'For good',
  },
  async (c) => {
    const deps = c.deps
    const key = readKey(c.params.key)
    const { id: customerId } = c.customer
    await count(limiterFor(deps, CANCELLATIONS), customerId)
    const carriedOut = await inTransaction(
      deps.db,
      async (trx) =>
        (await withdraw(runIn(trx), key, customerId)) || (await withdrawRequest(trx, deps, { key, customerId })),
    )
    return { carriedOut }
  },
)
