import { sql } from 'kysely'
import { defineUpcoming } from '#server/bank/upcoming.ts'

/** The direct debits announced to a customer. */
export const upcomingDebits = defineUpcoming({
  rows: (db, { customerId, until }) =>
    db
      .selectFrom('bank.direct_debit as debit')
      .innerJoin('bank.mandate as mandate', 'mandate.id', 'debit.mandate_id')
      .select(['mandate.id', 'mandate.biller_name', 'debit.amount_minor', 'debit.asset', 'debit.due_on'])
      .where('debit.customer_id', '=', customerId)
      .where('debit.status', '=', sql.lit('announced'))
      .where('debit.due_on', '<=', until),
  payments: (_deps, _about, rows) =>
    rows.map(({ id, biller_name: name, amount_minor: amountMinor, asset, due_on: dueOn }) => {
      return { kind: 'direct_debit', id, name, amountMinor, asset, dueOn }
    }),
})
