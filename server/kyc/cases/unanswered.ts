import { defineUnanswered } from '#server/bank/unanswered.ts'

/**
 * Whether the bank asks a customer for documents: anew, or for the first where less may move without. A sample bank, where
 * all of it may, leaves it to them.
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
