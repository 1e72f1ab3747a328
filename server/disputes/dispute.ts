import { DAY_MS } from '#server/platform/durations.ts'
import type { Selectable } from 'kysely'
import type { Dispute } from '#contract/disputes.ts'
import type { Database } from '#server/platform/db/schema.ts'

export type DisputeRow = Selectable<Database['bank.dispute']>

/**
 * The number of days after which a dispute's credit becomes final. Regulation E (12 CFR 1005.11(c)(3)) allows a bank 90 days to
 * decide about a card payment.
 */
export const FINAL_AFTER_DAYS = 90

/** Returns the business time at which a dispute's credit becomes final. */
export const finalAt = (createdAt: Date): Date => new Date(createdAt.getTime() + FINAL_AFTER_DAYS * DAY_MS)

/** Converts a database row to a dispute. `owedMinor` is the part of the credit that the customer must still pay back. */
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
  finalAt: row.status === 'open' && row.credited_minor > 0 ? finalAt(row.created_at).toISOString() : null,
  status: row.status,
  createdAt: row.created_at.toISOString(),
  decidedAt: row.decided_at?.toISOString() ?? null,
  answer: row.answer,
})
