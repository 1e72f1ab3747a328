import type { Booked } from '#server/ledger/types.ts'
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
import { codesOf, listPoints, readRewards } from '#server/rewards/service.ts'
import { PAYMENT_REFUSALS } from '#server/limits/service.ts'

const same = (booked: Booked) => booked

export const rewardRoutes = routes('Rewards', { live: true })
  .get(
    '/rewards',
    { summary: 'Your points, what they buy, and Premium', response: rewards, responseDescription: 'As it stands now' },
    (c) => readRewards(c.deps, c.customer.id),
  )
  .get(
    '/rewards/history',
    {
      summary: 'How your points came and went, newest first',
      query: pointsQuery,
      response: pointsPage,
      responseDescription: 'A page',
    },
    (c) => listPoints(c.deps, c.customer.id, c.query),
  )
  .get(
    '/rewards/codes',
    {
      summary: 'Your rewards that came as codes, the newest first',
      response: rewardCodes,
      responseDescription: 'At most 20',
    },
    async (c) => ({ codes: await codesOf(c.deps, c.customer.id) }),
  )
  .post(
    '/rewards/redemptions',
    {
      money: true,
      proof: true,
      refuses: ['points_short', 'reward_unavailable', 'balance_limit_reached', 'account_frozen', 'account_closed'],
      summary: 'Spend points on a reward',
      description: 'The points go and the reward comes in one operation.',
      body: redeemRequest,
      response: redemption,
      responseDescription: 'What you have now',
    },
    async (c) => {
      const [deps, customer] = [c.deps, c.customer]
      const { reward } = c.body
      const booked = await moveMoney(c.http, (key) => redeem(deps, customer, reward, key), same)
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
      description: 'A month is charged now and every month until you cancel. Points are doubled from this moment.',
      body: premiumRequest,
      response: rewards,
      responseDescription: 'As it stands now',
    },
    async (c) => {
      const [deps, customer] = [c.deps, c.customer]
      const asked = c.body
      await moveMoney(c.http, (key) => startPremium(deps, customer, asked, key), same)
      return await readRewards(deps, customer.id)
    },
  )
  .post(
    '/rewards/premium/cancel',
    {
      key: 'none',
      refuses: ['premium_off', 'premium_cancelled'],
      summary: 'Cancel Premium',
      description: 'It stays until the end of what you have paid for.',
      response: rewards,
      responseDescription: 'As it stands now',
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
      summary: 'Keep Premium that you have cancelled',
      description: 'Nothing is charged before what you have paid for ends.',
      response: rewards,
      responseDescription: 'As it stands now',
    },
    async (c) => {
      const [deps, customer] = [c.deps, c.customer]
      await resumePremium(deps, customer.id)
      return await readRewards(deps, customer.id)
    },
  )
