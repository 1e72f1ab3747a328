/** What a transaction offers beside what it says. It is fetched once the transaction is on the screen. */
export { FreezeAction } from '#web/transaction-detail/freeze-action.tsx'
export { JustForYou } from '#web/transaction-detail/just-for-you.tsx'
export { RecurringRow } from '#web/transaction-detail/recurring-row.tsx'
export { SmartTip } from '#web/transaction-detail/smart-tip.tsx'
