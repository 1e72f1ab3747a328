import { randomUUIDv7 } from 'node:crypto'
import type { Transaction } from 'kysely'
import { type Fund, FUNDS } from '#contract/markets.ts'
import { openFundAccount } from '#server/investing/orders/accounts.ts'
import { fillLegs, purchaseAt } from '#server/investing/orders/fill.ts'
import { fundDetail } from '#server/investing/orders/terms.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import { priceAfter } from '#server/markets/prices.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { LAST_MONTH, type StoryCast, type StoryPart, utc } from '#server/story/part.ts'

/** What is invested in each month but the last, US cents. */
const MONTHLY: Partial<Record<Fund, number>> = {
  FUND_CONSERVATIVE: 400_00,
  FUND_BALANCED: 700_00,
  FUND_AGGRESSIVE: 300_00,
}

/**
 * What the customer has invested each month. They are asked what suits them, and told of the risks, when they first invest
 * themselves: whoever looks around shall see it.
 */
export const investingStory: StoryPart = async (deps, trx, cast) => {
  const months = Array.from({ length: LAST_MONTH - 1 }, (_, index) => index + 1)
  const operations: Operation[] = []
  for (const fund of FUNDS) {
    const units = await openFundAccount(trx, cast.customer.id, fund)
    for (const month of months) operations.push(...(await buy(deps, trx, { cast, fund, units, placed: utc(month, 7) })))
  }
  return operations
}

type Buying = { cast: StoryCast; fund: Fund; units: AccountId; placed: Date }

/** One purchase at the price that followed it, at this customer's own date. */
async function buy(
  deps: Parameters<StoryPart>[0],
  trx: Transaction<Database>,
  { cast: { customer, dated }, fund, units, placed }: Buying,
): Promise<Operation[]> {
  const placedAt = dated(placed)
  const price = await priceAfter(deps, fund, placedAt)
  if (!price) return []
  const fill = purchaseAt(deps, fund, MONTHLY[fund] ?? 0, price.priceMicros)
  const [id, filledBy] = [randomUUIDv7(), randomUUIDv7()]
  await trx
    .insertInto('bank.fund_order')
    .values({
      id,
      customer_id: customer.id,
      side: 'buy',
      fund,
      status: 'filled',
      amount_minor: fill.amountMinor,
      units_minor: fill.unitsMinor,
      fee_minor: fill.feeMinor,
      price_micros: price.priceMicros,
      placed_at: placedAt,
      priced_at: price.at,
      ended_at: price.at,
      end_operation_id: filledBy,
    })
    .execute()
  const current = customer.currentAccountId
  const { amountMinor } = fill
  const paid = { kind: 'transfer' as const, debit: current, credit: bankAccount('market_maker'), amountMinor }
  return [
    {
      id: filledBy,
      kind: 'investing.fill',
      fingerprint: fingerprintOf('story', filledBy),
      // In the story's own time, of which `dated` makes the customer's.
      bookedAt: new Date(placed.getTime() + price.at.getTime() - placedAt.getTime()),
      legs: [{ ...paid, detail: fundDetail(fund) }, ...fillLegs({ side: 'buy', fund }, fill, { current, units })],
    },
  ]
}
