import type { Kysely } from 'kysely'
import type { PreApproval } from '#contract/loans.ts'
import { figuresOf } from '#server/loans/credit/figures.ts'
import { assess, type CreditStanding } from '#server/loans/credit/limit.ts'
import type { AccountId } from '#server/ledger/types.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

/** How a customer stands now, by their own ledger. */
export async function creditStanding(
  { clock }: Pick<Deps, 'clock'>,
  db: Kysely<Database>,
  customer: { id: string; currentAccountId: AccountId },
): Promise<CreditStanding> {
  const open = await db
    .selectFrom('bank.loan')
    .select('instalment_minor')
    .where('customer_id', '=', customer.id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return assess(await figuresOf(runIn(db), customer, clock.businessNow(), open?.instalment_minor ?? 0))
}

export async function preApprovalOf(
  deps: Pick<Deps, 'clock' | 'db'>,
  customer: { id: string; currentAccountId: AccountId },
): Promise<PreApproval> {
  return { ...(await creditStanding(deps, deps.db, customer)), asset: 'USD' }
}
