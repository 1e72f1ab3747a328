import type { Kysely } from 'kysely'
import type { PreApproval } from '#contract/loans.ts'
import { readCreditFigures } from '#server/loans/credit/credit-figures.ts'
import { assessCredit, type CreditStanding } from '#server/loans/credit/credit-limit.ts'
import type { AccountId } from '#server/ledger/types.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

/** Returns a customer's current score and limit, from their own ledger accounts. */
export async function readCreditStanding(
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
  return assessCredit(await readCreditFigures(runIn(db), customer, clock.businessNow(), open?.instalment_minor ?? 0))
}

export async function preApprovalOf(
  deps: Pick<Deps, 'clock' | 'db'>,
  customer: { id: string; currentAccountId: AccountId },
): Promise<PreApproval> {
  return { ...(await readCreditStanding(deps, deps.db, customer)), asset: 'USD' }
}
