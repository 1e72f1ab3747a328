import { sql } from 'kysely'
import { defineUnanswered, MAX_UNANSWERED } from '#server/bank/unanswered.ts'
import { openMinor } from '#server/requests/request.ts'
import { selectReceived } from '#server/requests/read.ts'

/** Open requests from people the customer has dealt with. Requests from strangers are listed apart, on their own screen. */
export const unansweredRequests = defineUnanswered({
  rows: (db, { clock }, customerId) =>
    selectReceived(db, customerId)
      .clearSelect()
      .select(['id', 'requester_name', 'amount_minor', 'paid_minor', 'asset', 'note'])
      .where('status', '=', sql.lit('open'))
      .where('from_stranger', '=', false)
      .where('expires_at', '>', clock.businessNow())
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(MAX_UNANSWERED),
  of: (row) => {
    const { id, requester_name: name, asset, note } = row
    return { kind: 'request', id, name, amountMinor: openMinor(row), asset, note }
  },
})
