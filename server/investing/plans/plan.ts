import { z } from 'zod'
import type { ErrorCode } from '#contract/errors.ts'
import type { InvestmentPlan } from '#contract/investing.ts'
import { MAX_PLANS } from '#contract/investment-terms.ts'
import { FUNDS } from '#contract/markets.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { fillDue } from '#server/investing/orders/due.ts'
import { planNextFill } from '#server/investing/orders/next-fill.ts'
import { placePurchase } from '#server/investing/orders/place.ts'
import { checkMayBuy } from '#server/investing/orders/suitability.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { marketOf } from '#server/markets/prices.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { StandingOrderKind, StandingOrder } from '#server/standing-orders/kind.ts'
import { everyOrderOf, ordersOf } from '#server/standing-orders/orders.ts'

const terms = z.object({ fund: z.enum(FUNDS), acceptsMismatch: z.boolean() })
type Terms = z.infer<typeof terms>
export type PlanOrder = StandingOrder<Terms>

/** The price used for a fund that never had a price. It is so high that a plan's order passes the checks of the limits. */
const NEVER_PRICED = Number.MAX_SAFE_INTEGER

/** The reason for skipping a date, as the notice gives it. */
const REASONS: Partial<Record<ErrorCode, 'funds' | 'unsuitable'>> = {
  insufficient_funds: 'funds',
  unsuitable_fund: 'unsuitable',
}

/** Weekly or monthly investments of an amount in US cents in a fund. */
export const fundPlans: StandingOrderKind<Terms> = {
  name: 'investment',
  terms,
  hour: 6,
  onBusinessDays: true,
  retries: false,
  room: { most: MAX_PLANS, full: 'plans_full' },
  overdue: { name: 'recurring investments that were not made in time', afterHours: 0 },
  isRefused: (code) => code !== 'unavailable',
  perform: async (deps, order, { book }) => {
    const { id, next_on: orderDate, amount_minor: amountMinor } = order
    const { fund, acceptsMismatch } = order.terms
    // A late order is placed as of its date. If the plan was created or resumed later on that date, the order is placed as of
    // that time. It must not get a price that was already known.
    const placedAt = order.try_at > order.active_since ? order.try_at : order.active_since
    // Work is done in the order of its due times, so that the proceeds of earlier sales can pay for later purchases of a plan.
    await fillDue(deps, order.customer_id, placedAt)
    const { price } = await marketOf(deps, fund)
    await book(async (trx, customer) => {
      // The customer may have changed their answers since they created the plan.
      await checkMayBuy({ ...deps, db: trx }, customer, { fund, acceptsMismatch })
      await placePurchase(deps, trx, {
        ...derivedIdentity('investing', id, `order:${orderDate}`),
        fingerprint: fingerprintOf('investing.plan', id, orderDate),
        customer,
        fund,
        amountMinor,
        acceptsMismatch,
        placedAt,
        priceMicros: price?.priceMicros ?? NEVER_PRICED,
        plan: { id, on: orderDate },
      })
    })
  },
  afterwards: async (deps, customerId) => {
    // `fillDue` fills orders before a moment. One millisecond is added to include orders whose pricing time is exactly now.
    await fillDue(deps, customerId, new Date(deps.clock.businessNow().getTime() + 1))
    await inTransaction(deps.db, (trx) => planNextFill(trx, deps, customerId))
  },
  refused: async (deps, trx, order, { code }) => {
    const { amount_minor: amountMinor } = order
    const reason = REASONS[code] ?? ('other' as const)
    const params = { fund: order.terms.fund, amountMinor, asset: 'USD' as const, reason }
    await notify(deps, trx, { customerId: order.customer_id, kind: 'investment_skipped', params })
  },
  upcoming: { kind: 'investment', names: async (_deps, _customer, orders) => orders.map((order) => order.terms.fund) },
}

export function investmentPlanOf(order: PlanOrder): InvestmentPlan {
  const { id, terms: planTerms, amount_minor: amountMinor, every, next_on: nextOn, try_at: tryAt, status } = order
  return {
    id,
    fund: planTerms.fund,
    amountMinor,
    asset: 'USD',
    // A plan is weekly or monthly. The other intervals of standing orders do not occur here.
    every: every === 'week' ? 'week' : 'month',
    nextOn,
    dueOn: dayOf(tryAt),
    status: status === 'finished' ? 'cancelled' : status,
  }
}

/** Returns a customer's active and paused plans, the next one first. */
export async function plansOf({ db }: Pick<Deps, 'db'>, customerId: string): Promise<InvestmentPlan[]> {
  return (await ordersOf(db, fundPlans, customerId)).map(investmentPlanOf)
}

/** Yields every plan that a customer ever had. */
export async function* exportPlans({ db }: Pick<Deps, 'db'>, customerId: string) {
  for await (const order of everyOrderOf(db, fundPlans, customerId)) {
    yield { ...investmentPlanOf(order), createdAt: order.created_at.toISOString() }
  }
}
