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
import { countCustomer } from '#server/identity/access/customer-limit.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { routes } from '#server/identity/access/route.ts'
import { portfolioOf } from '#server/investing/figures/portfolio.ts'
import { valueOver } from '#server/investing/figures/value.ts'
import { cancelFundOrder } from '#server/investing/orders/cancel.ts'
import { orderHistory, readFundOrder } from '#server/investing/orders/order.ts'
import { placeBuy, placeSell } from '#server/investing/orders/place.ts'
import { ORDER_REFUSALS, previewOrder } from '#server/investing/orders/preview.ts'
import { runDueInvestments } from '#server/investing/runs.ts'
import { cancelPlan, createPlan, pausePlan, resumePlan } from '#server/investing/plans/plans.ts'
import { SUITABILITY_REFUSALS, acceptRisk, answerSuitability } from '#server/investing/orders/suitability.ts'
import { POSTING_REFUSALS } from '#server/ledger/types.ts'

/** The number of times that one customer may answer the suitability questions in an hour. All answers are stored. */
const ANSWERING = { name: 'investing-answers', points: 60, seconds: 60 * 60 }
/**
 * The number of orders and plans that one customer may place in an hour. They are stored permanently. The limit is far
 * above a person's needs.
 */
const PLACING = { name: 'investing-orders', points: 300, seconds: 60 * 60 }

export const investingRoutes = routes('Investing', { live: true })
  .get(
    '/investing',
    {
      summary: 'Your investments, the funds, and the terms',
      response: investments,
      responseDescription: 'As of now',
    },
    (c) => portfolioOf(c.deps, c.customer),
  )
  .get(
    '/investing/value',
    {
      summary: 'The value of your investments over time',
      query: investmentValueQuery,
      response: investmentValue,
      responseDescription: 'Oldest first',
    },
    (c) => valueOver(c.deps, c.customer.id, c.query.range),
  )
  .get(
    '/investing/history',
    {
      summary: 'Your orders that were filled or canceled, newest first',
      query: investmentHistoryQuery,
      response: investmentHistory,
      responseDescription: 'A page',
    },
    (c) => orderHistory(c.deps, c.customer.id, c.query),
  )
  .get(
    '/investing/preview',
    {
      refuses: ['trading_paused', ...ORDER_REFUSALS],
      summary: 'The result of an order at the last price',
      description: 'An order is filled at the next price, so this is an estimate.',
      query: investmentPreviewQuery,
      response: investmentPreview,
      responseDescription: 'An estimate',
    },
    (c) => previewOrder(c.deps, c.customer, c.query),
  )
  .post(
    // The money still belongs to the customer, so no confirmation is required here. A payment out of the bank may require one.
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
        'The money, or the units to sell, are set aside immediately. The order can be canceled until its price is known.',
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
      return { order: await readFundOrder(deps, customer.id, id) }
    },
  )
  .post(
    '/investing/orders/{id}/cancel',
    {
      money: true,
      refuses: ['order_over'],
      summary: 'Cancel an order whose price is not known yet',
      response: investmentOrderResponse,
      responseDescription: 'The order',
    },
    async (c) => {
      const [deps, customer, id] = [c.deps, c.customer, c.id]
      await moveMoney(
        c.http,
        (key) => cancelFundOrder(deps, customer.id, id, key),
        () => undefined,
      )
      return { order: await readFundOrder(deps, customer.id, id) }
    },
  )
  .put(
    '/investing/suitability',
    {
      summary: 'Answer the questions about suitability',
      body: suitabilityRequest,
      response: suitability,
      responseDescription: 'The suitable risk',
    },
    async (c) => {
      await countCustomer(c.http, ANSWERING)
      // Purchases that are already due are made first, because the earlier answers apply to them.
      await runDueInvestments(c.deps, c.customer.id)
      return await answerSuitability(c.deps, c.customer.id, c.body)
    },
  )
  .put(
    '/investing/risk-notice',
    {
      refuses: ['risk_not_accepted'],
      summary: 'Accept the current version of the risk notice',
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
      summary: 'Create a recurring investment',
      description:
        'Each date places an order. If banks are closed, the order is placed on the next business day. A date is skipped if there is too little money in the account.',
      body: investmentPlanRequest,
      response: investmentPlanResponse,
      responseDescription: 'The plan, as of now',
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
      responseDescription: 'The plan, as of now',
    },
    async (c) => ({ plan: await pausePlan(c.deps, c.customer.id, c.id) }),
  )
  .post(
    '/investing/plans/{id}/resume',
    {
      key: 'none',
      refuses: ['plan_over', ...SUITABILITY_REFUSALS],
      summary: 'Resume a recurring investment at its next date',
      response: investmentPlanResponse,
      responseDescription: 'The plan, as of now',
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
      responseDescription: 'The plan, as of now',
    },
    async (c) => ({ plan: await cancelPlan(c.deps, c.customer.id, c.id) }),
  )
