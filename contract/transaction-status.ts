/**
 * completed: booked. pending: held or on its way. returned: a pending one that came back (unclaimed, cancelled
 * or refused).
 */
export const TRANSACTION_STATUSES = ['completed', 'pending', 'returned'] as const
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number]

/** What a person reads of a status. */
export const STATUS_LABELS: Readonly<Record<TransactionStatus, string>> = {
  completed: 'Completed',
  pending: 'Pending',
  returned: 'Returned',
}
