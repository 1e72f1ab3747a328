import { dayOf } from '#server/calendar/zone.ts'
import { monthOf, monthPeriod } from '#server/calendar/months.ts'
import type { RecategorizeRequest } from '#contract/analytics.ts'
import { isSpendingCategory } from '#contract/categories.ts'
import { Refusal } from '#contract/errors.ts'
import { lockOpenCustomer } from '#server/identity/customers/lock.ts'
import { readCategoryChoices, effectiveCategory } from '#server/insights/months/category-choices.ts'
import { requestCheck } from '#server/insights/months/request-check.ts'
import { spendingAccountsOf } from '#server/ledger/accounts.ts'
import { readPayeeKey } from '#server/ledger/payees.ts'
import { findLine, type Line } from '#server/ledger/statement.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

/**
 * Assigns another category to a payment, or to all past and future payments to its payee. The ledger's rows do not change; the
 * choice applies when months are read. Throws Refusal `not_found`, or `category_fixed` for a line that is not booked spending.
 */
export async function recategorize(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  lineId: string,
  { category, scope }: RecategorizeRequest,
): Promise<void> {
  const line = await lineOf(deps, customerId, lineId)
  const { category: from, version, name } = line
  if (!isSpendingCategory(from) || version === null) throw new Refusal('category_fixed')
  const payee = name?.code === 'name' ? await readPayeeKey(runIn(deps.db), name.params['name'] ?? '') : ''
  const day = dayOf(line.bookedAt)
  await inTransaction(deps.db, async (trx) => {
    // The lock makes the last choice win. It also refuses a customer who closes their account at the same moment.
    await lockOpenCustomer(trx, customerId)
    const customerColumn = { customer_id: customerId }
    if (scope === 'payee' && payee !== '') {
      await trx
        .insertInto('bank.payee_category')
        .values({ ...customerColumn, payee, category })
        .onConflict((conflict) => conflict.columns(['customer_id', 'payee']).doUpdateSet({ category }))
        .execute()
      // The choice for the payee replaces earlier choices for its single payments.
      await trx
        .deleteFrom('bank.line_category')
        .where('customer_id', '=', customerId)
        .where('payee', '=', payee)
        .execute()
    } else if (
      category === effectiveCategory(await readCategoryChoices(trx, customerId, monthPeriod(monthOf(day))), payee, from)
    ) {
      await trx
        .deleteFrom('bank.line_category')
        .where('customer_id', '=', customerId)
        .where('line_id', '=', line.id)
        .execute()
    } else {
      const row = { payee, day, from_category: from, category, spent_minor: -line.amountMinor }
      await trx
        .insertInto('bank.line_category')
        .values({ ...customerColumn, line_id: line.id, ...row })
        .onConflict((conflict) => conflict.columns(['customer_id', 'line_id']).doUpdateSet({ category }))
        .execute()
    }
    // The change may use up a budget.
    await requestCheck(trx, customerId)
  })
}

/** Returns a line of one of the accounts from which a customer spends. Throws Refusal `not_found`. */
async function lineOf({ db }: Pick<Deps, 'db'>, customerId: string, id: string): Promise<Line> {
  for (const accountId of await spendingAccountsOf(runIn(db), customerId)) {
    const line = await findLine(runIn(db), accountId, id)
    if (line) return line
  }
  throw new Refusal('not_found')
}
