import { defineUpcoming } from '#server/bank/upcoming.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { readLoan } from '#server/loans/loan/loan.ts'
import { loanOn } from '#server/loans/reading/details.ts'
import { inTransaction } from '#server/platform/db/run.ts'

/** Returns a customer's upcoming installments. Most customers have no loan, and need no further query. */
export const upcomingInstallments = defineUpcoming({
  rows: (db, { customerId }) =>
    db
      .selectFrom('bank.loan')
      .select('id')
      .where('customer_id', '=', customerId)
      .where('closed_at', 'is', null)
      .limit(1),
  async payments({ db, clock }, { customerId, until }, [open]) {
    if (!open) return []
    const loan = await inTransaction(db, (trx) => readLoan(trx, customerId, open.id))
    if (!loan) return []
    return loanOn(loan, dayOf(clock.businessNow()))
      .schedule.filter(({ dueOn }) => dueOn <= until)
      .map(({ dueOn, amountMinor }) => ({ kind: 'loan', id: open.id, name: '', amountMinor, asset: 'USD', dueOn }))
  },
})
