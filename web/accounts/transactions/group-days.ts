import { t } from '@lingui/core/macro'
import type { Transaction } from '#contract/accounts.ts'
import type { RowTime } from '#web/accounts/shared/transaction-row.tsx'
import { bankDayOf, longDay } from '#web/i18n/dates.ts'

/** `time` is the format of the times in the group. It leaves out the day if the heading contains it. */
export type DayGroup = { key: string; title: string; time: RowTime; transactions: Transaction[] }

/** Groups a list by day and keeps its order, newest first. Pending transactions form their own group at the top. */
export function groupTransactionsByDay(transactions: readonly Transaction[], today: string | null): DayGroup[] {
  const pending = transactions.filter((transaction) => transaction.status === 'pending')
  const title = t({ message: 'Pending', context: 'heading of the pending transactions' })
  const groups: DayGroup[] = pending.length > 0 ? [{ key: 'pending', title, time: 'day', transactions: pending }] : []
  for (const transaction of transactions) {
    if (transaction.status === 'pending') continue
    const key = bankDayOf(transaction.bookedAt)
    const last = groups.at(-1)
    if (last?.key === key) last.transactions.push(transaction)
    else groups.push({ key, title: longDay(transaction.bookedAt, today), time: 'hour', transactions: [transaction] })
  }
  return groups
}
