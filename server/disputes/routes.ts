import { withSecondFactor } from '#server/kyc/review/second-factor.ts'
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
import { countCustomer } from '#server/identity/access/customer-limit.ts'
import { routes } from '#server/identity/access/route.ts'

/** The largest number of new disputes for one customer in 24 hours. A reviewer must decide each of them. */
const OPENING = { name: 'dispute-open', points: 50, seconds: 24 * 60 * 60 }

export const disputeRoutes = routes('Review')
  .post(
    '/disputes',
    {
      tag: 'Disputes',
      refuses: ['dispute_open', 'dispute_impossible', 'transaction_not_found'],
      summary: 'Report a card payment problem',
      description: 'You get a provisional credit until a reviewer has decided.',
      body: newDispute,
      response: disputeResponse,
      responseDescription: 'The dispute',
    },
    async (c) => {
      await countCustomer(c.http, OPENING)
      const dispute = await openDispute(c.deps, c.customer, c.body, c.key)
      return { dispute }
    },
  )
  .get(
    '/transactions/{id}/dispute',
    {
      tag: 'Disputes',
      refuses: ['transaction_not_found'],
      summary: 'Whether a transaction is disputed or can be',
      response: disputeOfTransaction,
      responseDescription: 'As of now',
    },
    (c) => disputeAbout(c.deps, c.customer, c.params.id),
  )
  .post(
    '/disputes/{id}/withdraw',
    {
      tag: 'Disputes',
      refuses: ['dispute_decided'],
      summary: 'Withdraw a dispute',
      description: 'The provisional credit is taken back right away.',
      response: disputeResponse,
      responseDescription: 'The dispute',
    },
    async (c) => {
      const id = c.id
      return { dispute: await withdrawDispute(c.deps, c.customer, id, c.key) }
    },
  )
  .get(
    '/review/disputes',
    {
      caller: 'reviewer',
      middleware: withSecondFactor,
      summary: 'Disputes that wait for a decision, longest waiting first',
      response: disputeQueue,
      responseDescription: 'At most 50',
    },
    async (c) => ({ disputes: await disputesToReview(c.deps, c.customer) }),
  )
  .post(
    '/review/disputes/{id}/decisions',
    {
      caller: 'reviewer',
      proof: true,
      middleware: withSecondFactor,
      refuses: ['fields_missing', 'dispute_decided', 'dispute_own'],
      summary: 'Decide a dispute',
      body: disputeDecision,
      response: disputeToReview,
      responseDescription: 'The dispute',
    },
    async (c) => {
      const request = { id: c.id, ...c.body, key: c.key }
      return await decideDispute(c.deps, c.customer, request)
    },
  )
