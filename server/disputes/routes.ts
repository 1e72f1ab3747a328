import { withSecondFactor } from '#server/kyc/review/second-factor.ts'
import { idParam, readId } from '#server/platform/http/id-param.ts'
import {
  disputeDecision,
  disputeOfTransaction,
  disputeQueue,
  disputeResponse,
  disputeToReview,
  newDispute,
} from '#contract/disputes.ts'
import { decideDispute, disputesToReview } from '#server/disputes/review.ts'
import { disputeAbout, openDispute, withdrawDispute } from '#server/disputes/service.ts'
import { limitByCustomer } from '#server/identity/access/limit.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'

const tags = ['Disputes']

/** Each is work for a reviewer: so many in a day for one customer. */
const OPENING = { name: 'dispute-open', points: 50, seconds: 24 * 60 * 60 }

const open = defineRoute({
  method: 'post',
  path: '/disputes',
  summary: 'Report a problem with a card payment',
  description: 'You are credited with it until a reviewer has decided.',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: newDispute } } } },
  responses: { 200: { description: 'The dispute', content: { 'application/json': { schema: disputeResponse } } } },
})

const about = defineRoute({
  method: 'get',
  path: '/transactions/{id}/dispute',
  summary: 'Whether a transaction is or may be disputed',
  tags,
  request: { params: idParam },
  responses: { 200: { description: 'As of now', content: { 'application/json': { schema: disputeOfTransaction } } } },
})

const withdraw = defineRoute({
  method: 'post',
  path: '/disputes/{id}/withdraw',
  summary: 'Take a dispute back',
  description: 'What you were credited with goes back right away.',
  tags,
  request: { params: idParam },
  responses: { 200: { description: 'The dispute', content: { 'application/json': { schema: disputeResponse } } } },
})

const queue = defineRoute({
  method: 'get',
  path: '/review/disputes',
  needs: { caller: 'reviewer' },
  middleware: withSecondFactor,
  summary: 'Disputes that wait for a decision, the longest waiting first',
  tags: ['Review'],
  responses: { 200: { description: 'At most 50', content: { 'application/json': { schema: disputeQueue } } } },
})

const decide = defineRoute({
  method: 'post',
  path: '/review/disputes/{id}/decisions',
  needs: { caller: 'reviewer', proof: true },
  middleware: withSecondFactor,
  summary: 'Decide a dispute',
  tags: ['Review'],
  request: {
    params: idParam,
    body: { required: true, content: { 'application/json': { schema: disputeDecision } } },
  },
  responses: { 200: { description: 'The dispute', content: { 'application/json': { schema: disputeToReview } } } },
})

export function disputeRoutes({ limiters }: Pick<Deps, 'limiters'>) {
  const limitOpening = limitByCustomer({ limiters }, OPENING)
  return router()
    .openapi(open, async (c) => {
      await limitOpening(c, async () => undefined)
      const dispute = await openDispute(c.get('deps'), c.get('customer'), c.req.valid('json'), c.get('key'))
      return c.json({ dispute }, 200)
    })
    .openapi(about, async (c) => {
      return c.json(await disputeAbout(c.get('deps'), c.get('customer'), c.req.valid('param').id), 200)
    })
    .openapi(withdraw, async (c) => {
      const id = readId(c.req.valid('param').id)
      return c.json({ dispute: await withdrawDispute(c.get('deps'), c.get('customer'), id, c.get('key')) }, 200)
    })
    .openapi(queue, async (c) => {
      return c.json({ disputes: await disputesToReview(c.get('deps'), c.get('customer')) }, 200)
    })
    .openapi(decide, async (c) => {
      const asked = { id: readId(c.req.valid('param').id), ...c.req.valid('json'), key: c.get('key') }
      return c.json(await decideDispute(c.get('deps'), c.get('customer'), asked), 200)
    })
}
