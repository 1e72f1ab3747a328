import type { Transaction } from 'kysely'
import type { Customer } from '#server/identity/customers/customers.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { derived } from '#server/ledger/derived-id.ts'
import type { MandateRow } from '#server/direct-debits/mandates.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { rewardOperation } from '#server/rewards/points.ts'

/** Points for a direct debit, once for each biller, however often it is set up again. */
export async function earnForMandate(
  deps: Pick<Deps, 'clock' | 'ledger'>,
  trx: Transaction<Database>,
  { id }: Pick<Customer, 'id'>,
  { biller_name: billerName }: Pick<MandateRow, 'biller_name'>,
): Promise<void> {
  const run = runIn(trx)
  const points = (await accountsOf(run, id)).find(({ code }) => code === 'points')
  if (!points) return
  const earned = { pointsAccountId: points.id, earning: 'direct_debit', bookedAt: deps.clock.businessNow() } as const
  await deps.ledger.postWithin(run, [
    { ...rewardOperation(earned), ...derived(id, `points.direct_debit ${billerName}`) },
  ])
}
