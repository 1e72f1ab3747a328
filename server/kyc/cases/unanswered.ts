import { defineUnanswered } from '#server/bank/unanswered.ts'

/**
 * The bank's open request to a customer for documents: for documents again, or for the first ones where limits apply until
 * verification. A sample bank has no such limits, so it leaves the choice to the customer.
 */
export const unansweredIdentity = defineUnanswered({
  rows: (db, { policy }, customerId) =>
    db
      .selectFrom('bank.customer')
      .leftJoin('bank.kyc_case', 'bank.kyc_case.customer_id', 'bank.customer.id')
      .select('bank.kyc_case.status')
      .where('bank.customer.id', '=', customerId)
      .where(({ eb, or }) =>
        or([
          eb('bank.kyc_case.status', '=', 'again'),
          ...(policy.unverifiedLimits
            ? [eb('bank.kyc_case.status', '=', 'required'), eb('bank.kyc_case.status', 'is', null)]
            : []),
        ]),
      ),
  of: ({ status }) => ({ kind: 'identity', id: 'identity', again: status === 'again' }),
})
