import { z } from 'zod'
import type { ErrorCode } from '#contract/errors.ts'
import type { InvestmentPlan } from '#contract/investing.ts'
import { PLANS_MOST } from '#contract/investment-terms.ts'
import { FUNDS } from '#contract/markets.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { fillDue } from '#server/investing/orders/due.ts'
import { planNextFill } from '#server/investing/orders/next-fill.ts'
import { placePurchase } from '#server/investing/orders/place.ts'
import { checkMayBuy } from '#server/investing/orders/suitability.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { marketOf } from '#server/markets/prices.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { OrderKind, StandingOrder } from '#server/standing-orders/kind.ts'
import { everyOrderOf, ordersOf } from '#server/standing-orders/orders.ts'

const terms = z.object({ fund: z.enum(FUNDS), acceptsMismatch: z.boolean() })
type Terms = z.infer<typeof terms>
export type PlanOrder = StandingOrder<Terms>

/** Of a fund that has no price yet there is room for whatever a plan buys. */
const NEVER_PRICED = Number.MAX_SAFE_INTEGER

/** Why a date was skipped, as its notice says it. */
const REASONS: Partial<Record<ErrorCode, 'funds' | 'unsuitable'>> = {
  insufficient_funds: 'funds',
  unsuitable_fund: 'unsuitable',
}

/** Investments of so many US cents in a fund, every week or month. */
export const fundPlans: OrderKind<Terms> = {
  name: 'investment',
  terms,
  hour: 6,
  onBusinessDays: true,
  retries: false,
  room: { most: PLANS_MOST, full: 'plans_full' },
  overdue: { name: 'recurring investments that were not made in time', afterHours: 0 },
  isRefused: (code) => code !== 'unavailable',
  perform: async (deps, order, { book }) => {
    const { id, next_on: on, amount_minor: amountMinor } = order
    const { fund, acceptsMismatch } = order.terms
    // However late this is done, the order is placed as of its date; a plan that was made, or resumed, later that day may not
    // have a price that was known then.
    const placedAt = order.try_at > order.active_since ? order.try_at : order.active_since
    // In the order in which it became due: what was sold pays for what a plan buys after it.
    await fillDue(deps, order.customer_id, placedAt)
    const { price } = await marketOf(deps, fund)
    await book(async (trx, customer) => {
      // The customer may have answered the questions anew since they made the plan.
      await checkMayBuy({ ...deps, db: trx }, customer, { fund, acceptsMismatch })
      await placePurchase(deps, trx, {
        ...derived('investing', id, `order:${on}`),
        fingerprint: fingerprintOf('investing.plan', id, on),
        customer,
        fund,
        amountMinor,
        acceptsMismatch,
        placedAt,
        priceMicros: price?.priceMicros ?? NEVER_PRICED,
        plan: { id, on },
      })
    })
  },
  afterwards: async (deps, customerId) => {
    // With those that are priced at this moment.
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

export function planOf(order: PlanOrder): InvestmentPlan {
  const { id, terms: wanted, amount_minor: amountMinor, every, next_on: nextOn, try_at: tryAt, status } = order
  return {
    id,
    fund: wanted.fund,
    amountMinor,
    asset: 'USD',
    // None is made once, and none ends by itself.
    every: every === 'week' ? 'week' : 'month',
    nextOn,
    dueOn: dayOf(tryAt),
    status: status === 'finished' ? 'cancelled' : status,
  }
}

/** A customer's plans that are active or paused, the next one first. */
export async function plansOf({ db }: Pick<Deps, 'db'>, customerId: string): Promise<InvestmentPlan[]> {
  return (await ordersOf(db, fundPlans, customerId)).map(planOf)
}

/** Every plan that a customer ever had. */
export async function* exportedPlans({ db }: Pick<Deps, 'db'>, customerId: string) {
  for await (const order of everyOrderOf(db, fundPlans, customerId)) {
    yield { ...planOf(order), createdAt: order.created_at.toISOString() }
  }
}
