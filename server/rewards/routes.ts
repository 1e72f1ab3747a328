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
import { defineRoute, router } from '#server/identity/access/route.ts'
import { cancelPremium, resumePremium, startPremium } from '#server/rewards/premium.ts'
import { findRedemption, redeem } from '#server/rewards/redemption.ts'
import { codesOf, listPoints, readRewards } from '#server/rewards/service.ts'

const tags = ['Rewards']
const asNow = { 200: { description: 'As it stands now', content: { 'application/json': { schema: rewards } } } }

const getRewards = defineRoute({
  method: 'get',
  path: '/rewards',
  summary: 'Your points, what they buy, and Premium',
  tags,
  responses: asNow,
})

const getHistory = defineRoute({
  method: 'get',
  path: '/rewards/history',
  summary: 'How your points came and went, newest first',
  tags,
  request: { query: pointsQuery },
  responses: { 200: { description: 'A page', content: { 'application/json': { schema: pointsPage } } } },
})

const getCodes = defineRoute({
  method: 'get',
  path: '/rewards/codes',
  summary: 'Your rewards that came as codes, the newest first',
  tags,
  responses: { 200: { description: 'At most 20', content: { 'application/json': { schema: rewardCodes } } } },
})

const postRedemption = defineRoute({
  method: 'post',
  path: '/rewards/redemptions',
  needs: { money: true, proof: true },
  summary: 'Spend points on a reward',
  description: 'The points go and the reward comes in one operation.',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: redeemRequest } } } },
  responses: { 200: { description: 'What you have now', content: { 'application/json': { schema: redemption } } } },
})

const postPremium = defineRoute({
  method: 'post',
  path: '/rewards/premium',
  needs: { money: true, proof: true },
  summary: 'Upgrade to Premium',
  description: 'A month is charged now and every month until you cancel. Points are doubled from this moment.',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: premiumRequest } } } },
  responses: asNow,
})

const postCancellation = defineRoute({
  method: 'post',
  path: '/rewards/premium/cancel',
  needs: { key: 'none' },
  summary: 'Cancel Premium',
  description: 'It stays until the end of what you have paid for.',
  tags,
  responses: asNow,
})

const postResumption = defineRoute({
  method: 'post',
  path: '/rewards/premium/resume',
  needs: { key: 'none', proof: true },
  summary: 'Keep Premium that you have cancelled',
  description: 'Nothing is charged before what you have paid for ends.',
  tags,
  responses: asNow,
})

const same = (booked: Booked) => booked

export const rewardRoutes = router({ live: true })
  .openapi(getRewards, async (c) => c.json(await readRewards(c.get('deps'), c.get('customer').id), 200))
  .openapi(getHistory, async (c) =>
    c.json(await listPoints(c.get('deps'), c.get('customer').id, c.req.valid('query')), 200),
  )
  .openapi(getCodes, async (c) => c.json({ codes: await codesOf(c.get('deps'), c.get('customer').id) }, 200))
  .openapi(postRedemption, async (c) => {
    const [deps, customer] = [c.get('deps'), c.get('customer')]
    const { reward } = c.req.valid('json')
    const booked = await moveMoney(c, (key) => redeem(deps, customer, reward, key), same)
    return c.json(await findRedemption(deps, customer.id, booked.id), 200)
  })
  .openapi(postPremium, async (c) => {
    const [deps, customer] = [c.get('deps'), c.get('customer')]
    const asked = c.req.valid('json')
    await moveMoney(c, (key) => startPremium(deps, customer, asked, key), same)
    return c.json(await readRewards(deps, customer.id), 200)
  })
  .openapi(postCancellation, async (c) => {
    const [deps, customer] = [c.get('deps'), c.get('customer')]
    await cancelPremium(deps, customer.id)
    return c.json(await readRewards(deps, customer.id), 200)
  })
  .openapi(postResumption, async (c) => {
    const [deps, customer] = [c.get('deps'), c.get('customer')]
    await resumePremium(deps, customer.id)
    return c.json(await readRewards(deps, customer.id), 200)
  })
