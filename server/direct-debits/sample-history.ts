import { dayOf } from '#server/calendar/zone.ts'
import { randomUUIDv7 } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Category } from '#contract/categories.ts'
import { announceNextBill } from '#server/direct-debits/announcements.ts'
import { directDebitOperation } from '#server/direct-debits/collections.ts'
import type { MandateRow } from '#server/direct-debits/mandates.ts'
import type { Operation } from '#server/ledger/types.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { type SampleHistoryContext, type SampleHistoryPart, sampleTime } from '#server/sample-history/part.ts'

type Bill = {
  billerName: string
  reference: string
  /** The day of the month on which the bill is collected, from January to August. */
  day: number
  amountsMinor: readonly number[]
}

const BILLS: readonly Bill[] = [
  {
    billerName: 'Brightwater Energy',
    reference: 'BWE-204871',
    day: 5,
    amountsMinor: [150_00, 150_00, 148_00, 146_00, 145_00, 145_00, 145_00, 145_00],
  },
  {
    billerName: 'Fernline Broadband',
    reference: 'FLB-99310',
    day: 12,
    amountsMinor: [65_00, 65_00, 65_00, 65_00, 65_00, 65_00, 65_00, 65_00],
  },
]
const CATEGORY: Category = 'bills'
const COLLECTED_AT_HOUR = 6

/** The household's bills: collected each month since January, with the next one announced. */
export const directDebitsSampleHistory: SampleHistoryPart = async (deps, trx, cast) => {
  const mandates = await giveMandates(trx, cast)
  const collected = mandates.flatMap((mandate) => collect(mandate).map((operation) => ({ mandate, operation })))
  const rows = collected.map(({ mandate, operation }) => debitRow(mandate, operation, cast))
  await trx.insertInto('bank.direct_debit').values(rows).execute()
  for (const mandate of mandates) await announceNextBill(deps, trx, mandate)
  return collected.map(({ operation }) => operation)
}

function giveMandates(trx: Transaction<Database>, { customer, dated }: SampleHistoryContext): Promise<MandateRow[]> {
  const mandates = BILLS.map(({ billerName, reference, day, amountsMinor }) => {
    // A mandate starts the day before its first bill, which is the date of its reward points.
    const datedPrices = dated(sampleTime(1, day - 1, 9))
    return {
      customer_id: customer.id,
      account_id: customer.currentAccountId,
      biller_name: billerName,
      reference,
      category: CATEGORY,
      status: 'active' as const,
      bill_minor: amountsMinor.at(-1) ?? null,
      bill_day: Number(dayOf(dated(sampleTime(8, day))).slice(8)),
      created_at: datedPrices,
      decided_at: datedPrices,
    }
  })
  return trx.insertInto('bank.mandate').values(mandates).returningAll().execute()
}

/** Returns a biller's monthly collections, at the dates of the sample history. */
function collect({ account_id: accountId, biller_name: billerName }: MandateRow): Operation[] {
  const { day, amountsMinor } = BILLS.find((bill) => bill.billerName === billerName) ?? { day: 1, amountsMinor: [] }
  return amountsMinor.map((amountMinor, index) => {
    const bookedAt = sampleTime(index + 1, day, COLLECTED_AT_HOUR)
    return directDebitOperation({
      id: randomUUIDv7(),
      accountId,
      billerName,
      category: CATEGORY,
      amountMinor,
      bookedAt,
    })
  })
}

function debitRow(mandate: MandateRow, { id, bookedAt, legs: [leg] }: Operation, { dated }: SampleHistoryContext) {
  const datedBookedAt = dated(bookedAt)
  return {
    mandate_id: mandate.id,
    customer_id: mandate.customer_id,
    amount_minor: leg?.kind === 'transfer' ? leg.amountMinor : 0,
    due_on: dayOf(datedBookedAt),
    due_at: datedBookedAt,
    status: 'collected' as const,
    operation_id: id,
    booked_at: datedBookedAt,
  }
}
