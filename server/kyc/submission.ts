import { Refusal } from '#contract/errors.ts'
import { KYC_STEPS } from '#contract/kyc.ts'
import type { Bank } from '#server/bank.ts'
import { inTransaction } from '#server/db/run.ts'
import type { Caller } from '#server/http/caller.ts'
import type { Customer } from '#server/identity/customers.ts'
import { recordSecurityEvent } from '#server/identity/security-events.ts'
import { isOpen, lockCase } from '#server/kyc/cases.ts'
import { settleCase } from '#server/kyc/settlement.ts'

/**
 * Hands a customer's documents in: to a reviewer, or where the policy says so they are approved there and then. Doing
 * it again changes nothing. Throws Refusal `verification_incomplete` while a step has no document, `verification_closed`
 * once they were rejected.
 */
export async function submitDocuments(bank: Bank, customer: Customer, caller: Caller): Promise<void> {
  await inTransaction(bank.db, async (trx, run) => {
    const { id, status } = await lockCase(bank, run, customer.id)
    if (status === 'rejected') throw new Refusal('verification_closed')
    if (!isOpen(status)) return
    const steps = await trx
      .selectFrom('bank.kyc_document')
      .select('step')
      .where('customer_id', '=', customer.id)
      .execute()
    if (steps.length < KYC_STEPS.length) throw new Refusal('verification_incomplete')
    await trx
      .updateTable('bank.kyc_case')
      .set({ status: 'submitted', reason: null, submitted_at: bank.clock.realNow() })
      .where('id', '=', id)
      .execute()
    await recordSecurityEvent(bank, run, { customerId: customer.id, kind: 'kyc_submitted', caller })
    if (bank.policy.kyc.approvedAtOnce) {
      await settleCase(bank, run, { caseId: id, customerId: customer.id, reviewerId: null, decision: 'approve' })
    }
  })
}
