import { useLingui } from '@lingui/react/macro'
import { Link } from 'react-router'
import type { Transaction } from '#contract/accounts.ts'
import { categoryText, nameText } from '#web/i18n/words.ts'
import { CategoryIcon } from '#web/accounts/shared/category-icon.tsx'
import { StatusBadge } from '#web/accounts/status-badge.tsx'
import { shortDay, timeOfDay } from '#web/i18n/dates.ts'
import { paths } from '#web/lib/paths.ts'
import { cx } from '#web/ui/cx.ts'
import { Money } from '#web/ui/money.tsx'

/** From here on an amount is written smaller, to leave room for the name beside it. */
const LONG_MINOR = 100_000_000_00

/** One line of a transaction list; opens the detail and hands it the transaction. */
function TransactionRow({ transaction, now }: { transaction: Transaction; now: Date | null }) {
  const { name, amountMinor, asset, category, status, bookedAt } = transaction
  const { t } = useLingui()
  const incoming = amountMinor > 0
  const day = shortDay(bookedAt, now)
  const time = timeOfDay(bookedAt)
  return (
    <Link
      to={paths.transactionDetail}
      state={{ transaction }}
      className="flex min-h-16 items-center gap-3 px-4 py-2.5 transition-colors duration-150 -outline-offset-2 hover:bg-muted/60 active:bg-muted"
    >
      <CategoryIcon category={category} incoming={incoming} />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{nameText(name)}</span>
        <span className="mt-0.5 flex items-center gap-1.5 text-sm text-ink-soft">
          <span className="truncate">
            {status === 'completed' ? t({ message: `${day}, ${time}`, comment: 'Today, 9:41 AM' }) : day}
          </span>
          <StatusBadge status={status} />
        </span>
      </span>
      <span className="shrink-0 text-end">
        <Money
          amountMinor={amountMinor}
          asset={asset}
          sign="always"
          className={cx(
            'block font-semibold',
            Math.abs(amountMinor) >= LONG_MINOR && 'text-sm leading-6 tracking-tight',
            incoming && status === 'completed' && 'text-success',
            status === 'pending' && 'text-ink-soft',
            status === 'returned' && 'text-ink-soft line-through',
          )}
        />
        <span className="mt-0.5 block text-sm text-ink-soft">{categoryText(category)}</span>
      </span>
    </Link>
  )
}

/** Rows on one surface. */
export function TransactionRows({ transactions, now }: { transactions: readonly Transaction[]; now: Date | null }) {
  return (
    <ul className="divide-y divide-line">
      {transactions.map((transaction) => (
        <li key={transaction.id}>
          <TransactionRow transaction={transaction} now={now} />
        </li>
      ))}
    </ul>
  )
}
