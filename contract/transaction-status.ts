/**
 * `completed`: the transaction is booked. `pending`: the money is on hold or on its way. `returned`: a pending transaction was
 * reversed because it was unclaimed, canceled or refused.
 */
export const TRANSACTION_STATUSES = ['completed', 'pending', 'returned'] as const
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]

/** The label of each status. */
export const STATUS_LABELS: Readonly<Record<TransactionStatus, string>> = {
  completed: 'Completed',
  pending: 'Pending',
  returned: 'Returned',
}
