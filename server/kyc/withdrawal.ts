import type { Run } from '#server/db/run.ts'

/** Takes a case that waits for a reviewer out of their queue, for want of a customer to decide about. */
export async function withdrawCase(run: Run, customerId: string): Promise<void> {
  await run(`UPDATE bank.kyc_case SET status = 'required' WHERE customer_id = $1 AND status = 'submitted'`, [
    customerId,
  ])
}
