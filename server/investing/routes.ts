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
import { countCustomer } from '#server/identity/access/limit.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { routes } from '#server/identity/access/route.ts'
import { portfolioOf } from '#server/investing/figures/portfolio.ts'
import { valueOver } from '#server/investing/figures/value.ts'
import { cancelOrder } from '#server/investing/orders/cancel.ts'
import { orderHistory, readOrder } from '#server/investing/orders/order.ts'
import { placeBuy, placeSell } from '#server/investing/orders/place.ts'
import { ORDER_REFUSALS, previewOrder } from '#server/investing/orders/preview.ts'
import { doWhatIsDue } from '#server/investing/runs.ts'
import { cancelPlan, createPlan, pausePlan, resumePlan } from '#server/investing/plans/plans.ts'
import { SUITABILITY_REFUSALS, acceptRisk, answerSuitability } from '#server/investing/orders/suitability.ts'
import { POSTING_REFUSALS } from '#server/ledger/types.ts'

/** Every answer is kept: so many in an hour for one customer. */
const ANSWERING = { name: 'investing-answers', points: 60, seconds: 60 * 60 }
/** What is kept for ever of orders and plans: far more than anybody places in an hour. */
const PLACING = { name: 'investing-orders', points: 300, seconds: 60 * 60 }

export const investingRoutes = routes('Investing', { live: true })
  .get(
    '/investing',
    {
      summary: 'Your investments, what can be invested in, and on what terms',
      response: investments,
      responseDescription: 'As of now',
    },
    (c) => portfolioOf(c.deps, c.customer),
  )
  .get(
    '/investing/value',
    {
      summary: 'What your investments were worth over time',
      query: investmentValueQuery,
      response: investmentValue,
      responseDescription: 'Oldest first',
    },
    (c) => valueOver(c.deps, c.customer.id, c.query.range),
  )
  .get(
    '/investing/history',
    {
      summary: 'Your orders that were filled or cancelled, newest first',
      query: investmentHistoryQuery,
      response: investmentHistory,
      responseDescription: 'A page of them',
    },
    (c) => orderHistory(c.deps, c.customer.id, c.query),
  )
  .get(
    '/investing/preview',
    {
      refuses: ['trading_paused', ...ORDER_REFUSALS],
      summary: 'What an order would come to at the last price',
      description: 'An order is filled at the next price, so this is an estimate.',
      query: investmentPreviewQuery,
      response: investmentPreview,
      responseDescription: 'An estimate',
    },
    (c) => previewOrder(c.deps, c.customer, c.query),
  )
  .post(
    // Money stays the customer's own: to leave the bank it has to be sent, which asks for a proof where one is due.
    '/investing/orders',
    {
      money: true,
      refuses: [
        'trading_paused',
        'market_limit_reached',
        'orders_full',
        ...ORDER_REFUSALS,
        ...SUITABILITY_REFUSALS,
        ...POSTING_REFUSALS,
      ],
      summary: 'Buy or sell units of a fund, at its next price',
      description:
        'What is to be paid, or sold, is set aside right away. The order can be cancelled until its price is known.',
      body: investmentOrderRequest,
      response: investmentOrderResponse,
      responseDescription: 'The order',
    },
    async (c) => {
      await countCustomer(c.http, PLACING)
      const [deps, customer] = [c.deps, c.customer]
      const request: InvestmentOrderRequest = c.body
      const id = await moveMoney(
        c.http,
        async (key) => {
          if (request.side === 'buy') await placeBuy(deps, customer, request, key)
          else await placeSell(deps, customer, request, key)
          return key.operationId
        },
        (booked) => booked.id,
      )
      return { order: await readOrder(deps, customer.id, id) }
    },
  )
  .post(
    '/investing/orders/{id}/cancel',
    {
      money: true,
      refuses: ['order_over'],
      summary: 'Take back an order whose price is not known yet',
      response: investmentOrderResponse,
      responseDescription: 'The order',
    },
    async (c) => {
      const [deps, customer, id] = [c.deps, c.customer, c.id]
      await moveMoney(
        c.http,
        (key) => cancelOrder(deps, customer.id, id, key),
        () => undefined,
      )
      return { order: await readOrder(deps, customer.id, id) }
    },
  )
  .put(
    '/investing/suitability',
    {
      summary: 'Answer the questions about what suits you',
      body: suitabilityRequest,
      response: suitability,
      responseDescription: 'How much risk that is',
    },
    async (c) => {
      await countCustomer(c.http, ANSWERING)
      // What is due was to be bought by the answers there were.
      await doWhatIsDue(c.deps, c.customer.id)
      return await answerSuitability(c.deps, c.customer.id, c.body)
    },
  )
  .put(
    '/investing/risk-notice',
    {
      refuses: ['risk_not_accepted'],
      summary: 'Accept the risk notice in its present version',
      body: riskNoticeRequest,
    },
    async (c) => {
      await acceptRisk(c.deps, c.customer.id, c.body.version)
    },
  )
  .post(
    '/investing/plans',
    {
      money: true,
      refuses: ['investment_too_small', 'amount_too_large', 'plans_full', ...SUITABILITY_REFUSALS],
      summary: 'Invest again and again',
      description:
        'Each date places an order, on the next business day where the banks are closed. A date for which there is too little in the account is skipped.',
      body: investmentPlanRequest,
      response: investmentPlanResponse,
      responseDescription: 'The plan as it is now',
    },
    async (c) => {
      await countCustomer(c.http, PLACING)
      const [deps, customer] = [c.deps, c.customer]
      return { plan: await createPlan(deps, customer, c.body, c.key) }
    },
  )
  .post(
    '/investing/plans/{id}/pause',
    {
      key: 'none',
      refuses: ['plan_over'],
      summary: 'Pause a recurring investment',
      response: investmentPlanResponse,
      responseDescription: 'The plan as it is now',
    },
    async (c) => ({ plan: await pausePlan(c.deps, c.customer.id, c.id) }),
  )
  .post(
    '/investing/plans/{id}/resume',
    {
      key: 'none',
      refuses: ['plan_over', ...SUITABILITY_REFUSALS],
      summary: 'Go on with a recurring investment, from its next date on',
      response: investmentPlanResponse,
      responseDescription: 'The plan as it is now',
    },
    async (c) => ({ plan: await resumePlan(c.deps, c.customer, c.id) }),
  )
  .post(
    '/investing/plans/{id}/cancel',
    {
      key: 'none',
      refuses: ['plan_over'],
      summary: 'End a recurring investment',
      response: investmentPlanResponse,
      responseDescription: 'The plan as it is now',
    },
    async (c) => ({ plan: await cancelPlan(c.deps, c.customer.id, c.id) }),
  )
