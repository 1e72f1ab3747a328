import { useLingui } from '@lingui/react/macro'
import { memo } from 'react'
import { Link, useLocation } from 'react-router'
import type { Transaction } from '#contract/accounts.ts'
import { categoryText, nameText } from '#web/i18n/words.ts'
import { useArrivals } from '#web/accounts/shared/arrivals.ts'
import { searchWithId } from '#web/accounts/shared/transaction-address.ts'
import { HiddenFigure } from '#web/accounts/shared/hidden-figure.tsx'
import { TransactionIcon } from '#web/accounts/shared/transaction-icon.tsx'
import { StatusBadge } from '#web/accounts/shared/status-badge.tsx'
import { shortDay, timeOfDay } from '#web/i18n/dates.ts'
import { paths } from '#web/lib/paths.ts'
import { cx } from '#web/ui/cx.ts'
import { EmailText } from '#web/ui/email-text.tsx'
import { CHOSEN_ROW, useRowLink } from '#web/ui/pane.ts'
import { Money } from '#web/ui/money.tsx'

/** The time format of a row. Under a heading with the day, a row shows only the hour. */
export type RowTime = 'day and hour' | 'day' | 'hour'

function useTimeText(bookedAt: string, rowTime: RowTime, today: string | null): string {
  const { t } = useLingui()
  const day = shortDay(bookedAt, today)
  const time = timeOfDay(bookedAt)
  if (rowTime === 'day and hour') return t({ message: `${day}, ${time}`, comment: 'Example: Today, 9:41 AM' })
  return rowTime === 'day' ? day : time
}

type TransactionRowProps = {
  transaction: Transaction
  time: RowTime
  today: string | null
  hidden: boolean
  /** The list's filters, which the address of the details keeps. */
  search: string
}

/**
 * Shows a transaction as a row of a list. The row opens the details and passes them the transaction. If the name and the amount
 * do not fit on one line, the amount moves below. The row is memoized, because a list may be long.
 */
const TransactionRow = memo(({ transaction, time, today, hidden, search }: TransactionRowProps) => {
  const { name, category, status, bookedAt } = transaction
  // A badge for the status takes this place on transactions that are not completed.
  const timeText = useTimeText(bookedAt, status !== 'completed' && time === 'day and hour' ? 'day' : time, today)
  const inList = useRowLink(paths.transactionDetail, transaction.id)
  return (
    <Link
      to={{ pathname: paths.transactionDetail, search: searchWithId(search, transaction.id) }}
      state={{ transaction }}
      {...inList}
      className={cx(
        '@container block px-4 transition-colors duration-150 -outline-offset-2 hover:bg-muted/60 active:bg-muted',
        CHOSEN_ROW,
      )}
    >
      <span className="flex min-h-16 items-center gap-3 py-2.5 [--beside:calc(var(--spacing)*14)] @max-[9rem]:[--beside:0px]">
        <span className="shrink-0 @max-[9rem]:hidden">
          <TransactionIcon transaction={transaction} />
        </span>
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 flex-1 basis-24">
            <span className="line-clamp-3 leading-snug rtl:leading-normal font-medium">
              <EmailText email={nameText(name)} />
              <Pause />
            </span>
            <span className="mt-0.5 flex flex-wrap items-center gap-x-1.5 text-sm text-ink-soft">
              {timeText}
              <StatusBadge status={status} />
              <Pause />
            </span>
          </span>
          <span className="ms-auto max-w-full text-end">
            {hidden ? <HiddenFigure className="block leading-snug" /> : <Amount transaction={transaction} />}
            <Pause />
            <span className="mt-0.5 block text-sm text-ink-soft">{categoryText(category)}</span>
          </span>
        </span>
      </span>
    </Link>
  )
})

/** Separates the time from the amount for a screen reader, which would otherwise read them as one number. */
const Pause = () => <span className="sr-only">, </span>

function Amount({ transaction: { amountMinor, asset, status } }: { transaction: Transaction }) {
  return (
    <Money
      amountMinor={amountMinor}
      asset={asset}
      sign="always"
      fit
      className={cx(
        'block leading-snug font-semibold',
        amountMinor > 0 && status === 'completed' && 'text-success',
        status === 'pending' && 'text-ink-soft',
        status === 'returned' && 'text-ink-soft line-through',
      )}
    />
  )
}

type TransactionRowsProps = {
  transactions: readonly Transaction[]
  today: string | null
  /** The default is 'day and hour'. */
  time?: RowTime
  /** Whether the amounts are hidden. */
  hidden?: boolean
}

/** Shows rows on one surface. */
export function TransactionRows({ transactions, today, time = 'day and hour', hidden = false }: TransactionRowsProps) {
  const { search } = useLocation()
  const arrivals = useArrivals(transactions)
  return (
    <ul className="divide-y divide-line">
      {transactions.map((transaction) => (
        <li key={transaction.id} className={cx(arrivals.has(transaction.id) && 'animate-glow')}>
          <TransactionRow transaction={transaction} time={time} today={today} hidden={hidden} search={search} />
        </li>
      ))}
    </ul>
  )
}
