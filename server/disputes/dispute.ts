import type { Selectable } from 'kysely'
import type { Dispute } from '#contract/disputes.ts'
import type { Database } from '#server/platform/db/schema.ts'

export type DisputeRow = Selectable<Database['bank.dispute']>

/** `owedMinor`: what of its credit the customer still owes. */
export const disputeOf = (row: DisputeRow, owedMinor: number): Dispute => ({
  id: row.id,
  transactionId: row.transaction_id,
  merchant: row.merchant,
  paidAt: row.paid_at.toISOString(),
  amountMinor: row.amount_minor,
  asset: row.asset,
  reason: row.reason,
  description: row.description,
  creditedMinor: row.credited_minor,
  upheldMinor: row.upheld_minor,
  dueMinor: row.due_minor + owedMinor,
  status: row.status,
  createdAt: row.created_at.toISOString(),
  decidedAt: row.decided_at?.toISOString() ?? null,
  answer: row.answer,
})
