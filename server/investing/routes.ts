import {
  type InvestmentOrderRequest,
  investmentHistory,
  investmentHistoryQuery,
  investmentOrderRequest,
  investmentOrderResponse,
  investmentPlanRequest,
  investmentPlanResponse,
  investmentPreview,
  investmentPreviewQuery,
  investments,
  investmentValue,
  investmentValueQuery,
  riskNoticeRequest,
  suitability,
  suitabilityRequest,
} from '#contract/investing.ts'
import { limitByCustomer } from '#server/identity/access/limit.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { portfolioOf } from '#server/investing/figures/portfolio.ts'
import { valueOver } from '#server/investing/figures/value.ts'
import { cancelOrder } from '#server/investing/orders/cancel.ts'
import { orderHistory, readOrder } from '#server/investing/orders/order.ts'
import { placeBuy, placeSell } from '#server/investing/orders/place.ts'
import { previewOrder } from '#server/investing/orders/preview.ts'
import { doWhatIsDue } from '#server/investing/plans/catch-up.ts'
import { cancelPlan, createPlan, pausePlan, resumePlan } from '#server/investing/plans/plans.ts'
import { acceptRisk, answerSuitability } from '#server/investing/orders/suitability.ts'
import type { Deps } from '#server/platform/deps.ts'
import { answers, body } from '#server/platform/http/described.ts'
import { idParam, readId } from '#server/platform/http/id-param.ts'

const tags = ['Investing']

/** Every answer is kept: so many in an hour for one customer. */
const ANSWERING = { name: 'investing-answers', points: 60, seconds: 60 * 60 }
/** What is kept for ever of orders and plans: far more than anybody places in an hour. */
const PLACING = { name: 'investing-orders', points: 300, seconds: 60 * 60 }

const getInvesting = defineRoute({
  method: 'get',
  path: '/investing',
  summary: 'Your investments, what can be invested in, and on what terms',
  tags,
  responses: answers('As of now', investments),
})

const getValue = defineRoute({
  method: 'get',
  path: '/investing/value',
  summary: 'What your investments were worth over time',
  tags,
  request: { query: investmentValueQuery },
  responses: answers('Oldest first', investmentValue),
})

const getHistory = defineRoute({
  method: 'get',
  path: '/investing/history',
  summary: 'Your orders that were filled or cancelled, newest first',
  tags,
  request: { query: investmentHistoryQuery },
  responses: answers('A page of them', investmentHistory),
})

const getPreview = defineRoute({
  method: 'get',
  path: '/investing/preview',
  summary: 'What an order would come to at the last price',
  description: 'An order is filled at the next price, so this is an estimate.',
  tags,
  request: { query: investmentPreviewQuery },
  responses: answers('An estimate', investmentPreview),
})

// Money stays the customer's own: to leave the bank it has to be sent, which asks for a proof where one is due.
const postOrder = defineRoute({
  method: 'post',
  path: '/investing/orders',
  needs: { money: true },
  summary: 'Buy or sell units of a fund, at its next price',
  description:
    'What is to be paid, or sold, is set aside right away. The order can be cancelled until its price is known.',
  tags,
  request: { body: body(investmentOrderRequest) },
  responses: answers('The order', investmentOrderResponse),
})

const postOrderCancel = defineRoute({
  method: 'post',
  path: '/investing/orders/{id}/cancel',
  needs: { money: true },
  summary: 'Take back an order whose price is not known yet',
  tags,
  request: { params: idParam },
  responses: answers('The order', investmentOrderResponse),
})

const putSuitability = defineRoute({
  method: 'put',
  path: '/investing/suitability',
  summary: 'Answer the questions about what suits you',
  tags,
  request: { body: body(suitabilityRequest) },
  responses: answers('How much risk that is', suitability),
})

const putRiskNotice = defineRoute({
  method: 'put',
  path: '/investing/risk-notice',
  summary: 'Accept the risk notice in its present version',
  tags,
  request: { body: body(riskNoticeRequest) },
  responses: { 204: { description: 'It is accepted' } },
})

const planResponses = answers('The plan as it is now', investmentPlanResponse)

const postPlan = defineRoute({
  method: 'post',
  path: '/investing/plans',
  needs: { money: true },
  summary: 'Invest again and again',
  description:
    'Each date places an order, on the next business day where the banks are closed. A date for which there is too little in the account is skipped.',
  tags,
  request: { body: body(investmentPlanRequest) },
  responses: planResponses,
})

const postPause = defineRoute({
  method: 'post',
  path: '/investing/plans/{id}/pause',
  needs: { key: 'none' },
  summary: 'Pause a recurring investment',
  tags,
  request: { params: idParam },
  responses: planResponses,
})

const postResume = defineRoute({
  method: 'post',
  path: '/investing/plans/{id}/resume',
  needs: { key: 'none' },
  summary: 'Go on with a recurring investment, from its next date on',
  tags,
  request: { params: idParam },
  responses: planResponses,
})

const postPlanCancel = defineRoute({
  method: 'post',
  path: '/investing/plans/{id}/cancel',
  needs: { key: 'none' },
  summary: 'End a recurring investment',
  tags,
  request: { params: idParam },
  responses: planResponses,
})

export function investingRoutes({ limiters }: Pick<Deps, 'limiters'>) {
  const limitAnswers = limitByCustomer({ limiters }, ANSWERING)
  const limitOrders = limitByCustomer({ limiters }, PLACING)
  return router({ live: true })
    .openapi(getInvesting, async (c) => c.json(await portfolioOf(c.get('deps'), c.get('customer')), 200))
    .openapi(getValue, async (c) => {
      return c.json(await valueOver(c.get('deps'), c.get('customer').id, c.req.valid('query').range), 200)
    })
    .openapi(getHistory, async (c) => {
      return c.json(await orderHistory(c.get('deps'), c.get('customer').id, c.req.valid('query')), 200)
    })
    .openapi(getPreview, async (c) => {
      return c.json(await previewOrder(c.get('deps'), c.get('customer'), c.req.valid('query')), 200)
    })
    .openapi(postOrder, async (c) => {
      await limitOrders(c, async () => undefined)
      const [deps, customer] = [c.get('deps'), c.get('customer')]
      const request: InvestmentOrderRequest = c.req.valid('json')
      const id = await moveMoney(
        c,
        async (key) => {
          if (request.side === 'buy') await placeBuy(deps, customer, request, key)
          else await placeSell(deps, customer, request, key)
          return key.operationId
        },
        (booked) => booked.id,
      )
      return c.json({ order: await readOrder(deps, customer.id, id) }, 200)
    })
    .openapi(postOrderCancel, async (c) => {
      const [deps, customer, id] = [c.get('deps'), c.get('customer'), readId(c.req.valid('param').id)]
      await moveMoney(
        c,
        (key) => cancelOrder(deps, customer.id, id, key),
        () => undefined,
      )
      return c.json({ order: await readOrder(deps, customer.id, id) }, 200)
    })
    .openapi(putSuitability, async (c) => {
      await limitAnswers(c, async () => undefined)
      // What is due was to be bought by the answers there were.
      await doWhatIsDue(c.get('deps'), c.get('customer').id)
      return c.json(await answerSuitability(c.get('deps'), c.get('customer').id, c.req.valid('json')), 200)
    })
    .openapi(putRiskNotice, async (c) => {
      await acceptRisk(c.get('deps'), c.get('customer').id, c.req.valid('json').version)
      return c.body(null, 204)
    })
    .openapi(postPlan, async (c) => {
      await limitOrders(c, async () => undefined)
      const [deps, customer] = [c.get('deps'), c.get('customer')]
      return c.json({ plan: await createPlan(deps, customer, c.req.valid('json'), c.get('key')) }, 200)
    })
    .openapi(postPause, async (c) => {
      return c.json(
        { plan: await pausePlan(c.get('deps'), c.get('customer').id, readId(c.req.valid('param').id)) },
        200,
      )
    })
    .openapi(postResume, async (c) => {
      return c.json({ plan: await resumePlan(c.get('deps'), c.get('customer'), readId(c.req.valid('param').id)) }, 200)
    })
    .openapi(postPlanCancel, async (c) => {
      return c.json(
        { plan: await cancelPlan(c.get('deps'), c.get('customer').id, readId(c.req.valid('param').id)) },
        200,
      )
    })
}
