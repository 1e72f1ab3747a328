import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import type { Transaction } from '#contract/accounts.ts'
import type { RecurringPayments } from '#contract/analytics.ts'
import { OWN_MOVES } from '#contract/categories.ts'
import { lettersOf } from '#contract/payee-letters.ts'
import { useBusinessNow } from '#web/accounts/queries.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { recurringQuery } from '#web/insights/queries.ts'
import { intervalText } from '#web/insights/shared/interval.ts'
import { paths } from '#web/lib/paths.ts'
import { DetailRow } from '#web/transaction-detail/detail-row.tsx'

type Series = RecurringPayments['payments'][number]

/** Returns a payee's name in the form in which names of the same payee are equal. */
const comparableName = (name: string) => lettersOf(name).toLowerCase()

/**
 * Returns the recurring payments that a transaction belongs to, or null if the bank detected none. If there are several series
 * to the same payee, returns the series with the closest amount.
 */
function useSeries({ name, amountMinor, category, status }: Transaction): Series | null {
  const payee = name.params['name'] ?? ''
  const mayRecur = amountMinor < 0 && status === 'completed' && payee !== '' && !OWN_MOVES.includes(category)
  const { data } = useQuery({ ...recurringQuery, enabled: mayRecur })
  if (!mayRecur || !data) return null
  // The amount of a transaction is negative, and the amount of a series is positive.
  const difference = (series: Series) => Math.abs(series.amountMinor + amountMinor)
  const [nearest] = data.payments
    .filter((series) => comparableName(series.payee) === comparableName(payee))
    .toSorted((a, b) => difference(a) - difference(b))
  return nearest ?? null
}

/**
 * Shows the interval and the next date of a recurring payment, with a link to all recurring payments. Shows nothing for other
 * payments.
 */
export function RecurringRow({ transaction }: { transaction: Transaction }) {
  const { t } = useLingui()
  const series = useSeries(transaction)
  return (
    series && (
      <DetailRow label={t({ message: 'Recurring', comment: 'A payment that repeats at regular intervals' })}>
        <RecurringLink series={series} />
      </DetailRow>
    )
  )
}

function RecurringLink({ series }: { series: Series }) {
  const every = intervalText(series.interval)
  const day = shortDay(series.nextOn, useBusinessNow())
  return (
    <Link
      to={{ pathname: paths.analytics, hash: '#recurring' }}
      className="-my-2 -me-1.5 flex min-h-11 items-center gap-0.5 text-primary"
    >
      <span>
        <Trans comment="Example: Monthly, next on Sep 5">
          {every}, next on {day}
        </Trans>
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 rtl:-scale-x-100" strokeWidth={2} />
    </Link>
  )
}
