import { dayOf } from '#server/calendar/zone.ts'
import { monthOf, monthPeriod } from '#server/calendar/months.ts'
import type { RecategoriseRequest } from '#contract/analytics.ts'
import { isSpendingCategory } from '#contract/categories.ts'
import { Refusal } from '#contract/errors.ts'
import { lockOpenCustomer } from '#server/identity/customers/lock.ts'
import { choicesOf, countedAs } from '#server/insights/months/choices.ts'
import { requestCheck } from '#server/insights/notices/recheck.ts'
import { spendingAccountsOf } from '#server/ledger/accounts.ts'
import { payeeNamed } from '#server/ledger/payees.ts'
import { findLine, type Line } from '#server/ledger/statement.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

/**
 * Calls a payment, or all payments to its payee, past and future, by another category. The ledger's rows stay as they are:
 * it counts when months are read. Throws Refusal `not_found`, or `category_fixed` where it is no spending that was booked.
 */
export async function recategorise(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  lineId: string,
  { category, scope }: RecategoriseRequest,
): Promise<void> {
  const line = await lineOf(deps, customerId, lineId)
  const { category: from, version, name } = line
  if (!isSpendingCategory(from) || version === null) throw new Refusal('category_fixed')
  const payee = name?.code === 'name' ? await payeeNamed(runIn(deps.db), name.params['name'] ?? '') : ''
  const day = dayOf(line.bookedAt)
  await inTransaction(deps.db, async (trx) => {
    // What is said last counts, and nothing for whoever closes at the same moment.
    await lockOpenCustomer(trx, customerId)
    const own = { customer_id: customerId }
    if (scope === 'payee' && payee !== '') {
      await trx
        .insertInto('bank.payee_category')
        .values({ ...own, payee, category })
        .onConflict((conflict) => conflict.columns(['customer_id', 'payee']).doUpdateSet({ category }))
        .execute()
      // What was said last counts, for each of them.
      await trx
        .deleteFrom('bank.line_category')
        .where('customer_id', '=', customerId)
        .where('payee', '=', payee)
        .execute()
    } else if (category === countedAs(await choicesOf(trx, customerId, monthPeriod(monthOf(day))), payee, from)) {
      await trx
        .deleteFrom('bank.line_category')
        .where('customer_id', '=', customerId)
        .where('line_id', '=', line.id)
        .execute()
    } else {
      const row = { payee, day, from_category: from, category, spent_minor: -line.amountMinor }
      await trx
        .insertInto('bank.line_category')
        .values({ ...own, line_id: line.id, ...row })
        .onConflict((conflict) => conflict.columns(['customer_id', 'line_id']).doUpdateSet({ category }))
        .execute()
    }
    // A budget may be used up by it.
    await requestCheck(trx, customerId)
  })
}

/** A line of one of the accounts that a customer spends from. Throws Refusal `not_found`. */
async function lineOf({ db }: Pick<Deps, 'db'>, customerId: string, id: string): Promise<Line> {
  for (const accountId of await spendingAccountsOf(runIn(db), customerId)) {
    const line = await findLine(runIn(db), accountId, id)
    if (line) return line
  }
  throw new Refusal('not_found')
}
