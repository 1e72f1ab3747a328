import { sql } from 'kysely'
import { defineUnanswered, MAX_UNANSWERED } from '#server/bank/unanswered.ts'

/** The mandates that wait for the customer's decision. */
export const unansweredMandates = defineUnanswered({
  rows: (db, _deps, customerId) =>
    db
      .selectFrom('bank.mandate')
      .select(['id', 'biller_name'])
      .where('customer_id', '=', customerId)
      .where('status', '=', sql.lit('requested'))
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(MAX_UNANSWERED),
  of: ({ id, biller_name: name }) => ({ kind: 'mandate', id, name }),
})
