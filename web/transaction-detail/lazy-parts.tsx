/** The parts of a transaction's details that load after the transaction is shown. */
export { FreezeAction } from '#web/transaction-detail/freeze-action.tsx'
export { JustForYou } from '#web/transaction-detail/just-for-you.tsx'
export { RecurringRow } from '#web/transaction-detail/recurring-row.tsx'
export { SmartTip } from '#web/transaction-detail/smart-tip.tsx'
