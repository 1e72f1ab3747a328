import { randomUUID, randomUUIDv7 } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Category } from '#contract/categories.ts'
import { announceNextBill } from '#server/direct-debits/announcements.ts'
import { directDebitOperation } from '#server/direct-debits/collections.ts'
import type { Operation } from '#server/ledger/types.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { type StoryCast, type StoryPart, utc } from '#server/story/part.ts'

type Bill = {
  billerName: string
  reference: string
  /** Of each month, January to August. */
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

/** The household's bills: collected each month since January, and announced for the month to come. */
export const directDebitsStory: StoryPart = async (deps, trx, cast) => {
  const operations: Operation[] = []
  for (const bill of BILLS) operations.push(...(await tellBill(deps, trx, cast, bill)))
  return operations
}

async function tellBill(
  deps: Parameters<StoryPart>[0],
  trx: Transaction<Database>,
  { customer, dated }: StoryCast,
  { billerName, reference, day, amountsMinor }: Bill,
): Promise<Operation[]> {
  // The day before its first bill, as the points for it say.
  const given = dated(utc(1, day - 1, 9))
  const mandate = await trx
    .insertInto('bank.mandate')
    .values({
      customer_id: customer.id,
      account_id: customer.currentAccountId,
      biller_name: billerName,
      reference,
      category: CATEGORY,
      status: 'active',
      bill_minor: amountsMinor.at(-1) ?? null,
      bill_day: dated(utc(8, day)).getUTCDate(),
      created_at: given,
      decided_at: given,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const operations = amountsMinor.map((amountMinor, index) =>
    directDebitOperation({
      id: randomUUIDv7(),
      accountId: customer.currentAccountId,
      billerName,
      category: CATEGORY,
      amountMinor,
      bookedAt: utc(index + 1, day, COLLECTED_AT_HOUR),
    }),
  )
  await trx
    .insertInto('bank.direct_debit')
    .values(
      operations.map(({ id, bookedAt }, index) => ({
        id: randomUUID(),
        mandate_id: mandate.id,
        customer_id: customer.id,
        amount_minor: amountsMinor[index] ?? 0,
        due_on: dated(bookedAt).toISOString().slice(0, 10),
        due_at: dated(bookedAt),
        status: 'collected' as const,
        operation_id: id,
        booked_at: dated(bookedAt),
      })),
    )
    .execute()
  await announceNextBill(deps, trx, mandate)
  return operations
}
