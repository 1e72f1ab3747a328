import { randomUUIDv7 } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { Fund } from '#contract/markets.ts'
import { fillLegs, purchaseAt } from '#server/investing/orders/fill.ts'
import { fundDetail } from '#server/investing/orders/terms.ts'
import { openAccounts } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { type SampleHistoryContext, type SampleHistoryPart, sampleTime } from '#server/sample-history/part.ts'

/** The sample investments by month of the sample history, in US cents. */
const PURCHASES: readonly { fund: Fund; amountMinor: number; months: readonly number[] }[] = [
  { fund: 'FUND_CONSERVATIVE', amountMinor: 400_00, months: [1, 2, 3, 4, 5, 6, 7] },
  { fund: 'FUND_BALANCED', amountMinor: 900_00, months: [1, 2, 3, 4, 5, 6, 7] },
  { fund: 'FUND_AGGRESSIVE', amountMinor: 600_00, months: [3, 6] },
]

/**
 * Adds a sample customer's investments. It stores no answers and no acceptance of the risks, so that a visitor sees these
 * screens before their own first investment.
 */
export const investingSampleHistory: SampleHistoryPart = async (deps, trx, cast) => {
  const holderId = cast.customer.id
  const accountIds = await openAccounts(
    runIn(trx),
    PURCHASES.map(({ fund: asset }) => ({ holderId, code: 'fund', asset })),
  )
  const purchases = PURCHASES.flatMap(({ fund, amountMinor, months }, place) => {
    const units = accountIds[place] as AccountId
    return months.map((month) => purchaseOf(deps, { cast, fund, amountMinor, units, placed: sampleTime(month, 7) }))
  })
  const placedPurchases = (await Promise.all(purchases)).flatMap((purchase) => purchase ?? [])
  const rows = placedPurchases.map(({ row }) => row)
  if (rows.length > 0) await trx.insertInto('bank.fund_order').values(rows).execute()
  return placedPurchases.map(({ operation }) => operation)
}

type Buying = { cast: SampleHistoryContext; fund: Fund; amountMinor: number; units: AccountId; placed: Date }
type Purchase = { row: Insertable<Database['bank.fund_order']>; operation: Operation }

/** Returns one purchase at the first price after its date in this customer's calendar, or null if there is no price. */
async function purchaseOf(
  deps: Parameters<SampleHistoryPart>[0],
  { cast: { customer, dated }, fund, amountMinor, units, placed }: Buying,
): Promise<Purchase | null> {
  const placedAt = dated(placed)
  const price = await deps.prices.after(fund, placedAt)
  if (!price) return null
  const fill = purchaseAt(deps, fund, amountMinor, price.priceMicros)
  const [id, filledBy, current] = [randomUUIDv7(), randomUUIDv7(), customer.currentAccountId]
  const payment = { kind: 'transfer' as const, debit: current, credit: bankAccount('market_maker'), amountMinor }
  const row: Purchase['row'] = {
    id,
    customer_id: customer.id,
    side: 'buy',
    fund,
    status: 'filled',
    amount_minor: amountMinor,
    units_minor: fill.unitsMinor,
    fee_minor: fill.feeMinor,
    price_micros: price.priceMicros,
    placed_at: placedAt,
    priced_at: price.at,
    ended_at: price.at,
    end_operation_id: filledBy,
  }
  const operation: Operation = {
    id: filledBy,
    kind: 'investing.fill',
    fingerprint: fingerprintOf('story', filledBy),
    // The time is in the calendar of the sample history. `dated` converts it to the customer's calendar.
    bookedAt: new Date(placed.getTime() + price.at.getTime() - placedAt.getTime()),
    legs: [{ ...payment, detail: fundDetail(fund) }, ...fillLegs({ side: 'buy', fund }, fill, { current, units })],
  }
  return { row, operation }
}
