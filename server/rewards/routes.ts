import type { BookedOperation } from '#server/ledger/types.ts'
import {
  pointsPage,
  pointsQuery,
  premiumRequest,
  redeemRequest,
  redemption,
  rewardCodes,
  rewards,
} from '#contract/rewards-api.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { routes } from '#server/identity/access/route.ts'
import { cancelPremium, resumePremium, startPremium } from '#server/rewards/premium.ts'
import { findRedemption, redeem } from '#server/rewards/redemption.ts'
import { listRewardCodes, listPoints, readRewards } from '#server/rewards/service.ts'
import { PAYMENT_REFUSALS } from '#server/limits/service.ts'

/** The result of a repeated request: the operation that the first request booked. */
const firstOperation = (booked: BookedOperation) => booked

export const rewardRoutes = routes('Rewards', { live: true })
  .get(
    '/rewards',
    { summary: 'Your points, the rewards, and Premium', response: rewards, responseDescription: 'As of now' },
    (c) => readRewards(c.deps, c.customer.id),
  )
  .get(
    '/rewards/history',
    {
      summary: 'The movements of your points, newest first',
      query: pointsQuery,
      response: pointsPage,
      responseDescription: 'A page',
    },
    (c) => listPoints(c.deps, c.customer.id, c.query),
  )
  .get(
    '/rewards/codes',
    {
      summary: 'Your reward codes, newest first',
      response: rewardCodes,
      responseDescription: 'At most 20 codes',
    },
    async (c) => ({ codes: await listRewardCodes(c.deps, c.customer.id) }),
  )
  .post(
    '/rewards/redemptions',
    {
      money: true,
      proof: true,
      refuses: ['points_short', 'reward_unavailable', 'balance_limit_reached', 'account_frozen', 'account_closed'],
      summary: 'Spend points on a reward',
      description: 'The points and the reward move in one operation.',
      body: redeemRequest,
      response: redemption,
      responseDescription: 'The redemption',
    },
    async (c) => {
      const [deps, customer] = [c.deps, c.customer]
      const { reward } = c.body
      const booked = await moveMoney(c.http, (key) => redeem(deps, customer, reward, key), firstOperation)
      return await findRedemption(deps, customer.id, booked.id)
    },
  )
  .post(
    '/rewards/premium',
    {
      money: true,
      proof: true,
      refuses: ['price_changed', 'premium_on', ...PAYMENT_REFUSALS],
      summary: 'Upgrade to Premium',
      description:
        'Each month is charged when it begins, the first one now, until you cancel. You earn double points from now on.',
      body: premiumRequest,
      response: rewards,
      responseDescription: 'As of now',
    },
    async (c) => {
      const [deps, customer] = [c.deps, c.customer]
      const request = c.body
      await moveMoney(c.http, (key) => startPremium(deps, customer, request, key), firstOperation)
      return await readRewards(deps, customer.id)
    },
  )
  .post(
    '/rewards/premium/cancel',
    {
      key: 'none',
      refuses: ['premium_off', 'premium_cancelled'],
      summary: 'Cancel Premium',
      description: 'Premium continues until the end of the paid period.',
      response: rewards,
      responseDescription: 'As of now',
    },
    async (c) => {
      const [deps, customer] = [c.deps, c.customer]
      await cancelPremium(deps, customer.id)
      return await readRewards(deps, customer.id)
    },
  )
  .post(
    '/rewards/premium/resume',
    {
      key: 'none',
      proof: true,
      refuses: ['premium_off', 'premium_on'],
      summary: 'Resume Premium after canceling',
      description: 'The next charge is at the end of the paid period.',
      response: rewards,
      responseDescription: 'As of now',
    },
    async (c) => {
      const [deps, customer] = [c.deps, c.customer]
      await resumePremium(deps, customer.id)
      return await readRewards(deps, customer.id)
    },
  )
