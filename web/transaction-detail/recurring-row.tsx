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

const called = (name: string) => lettersOf(name).toLowerCase()

/** The series that a payment is one of; null where the bank found none. Of several to one payee, the nearest in amount. */
function useSeries({ name, amountMinor, category, status }: Transaction): Series | null {
  const payee = name.params['name'] ?? ''
  const mayRecur = amountMinor < 0 && status === 'completed' && payee !== '' && !OWN_MOVES.includes(category)
  const { data } = useQuery({ ...recurringQuery, enabled: mayRecur })
  if (!mayRecur || !data) return null
  const distance = (one: Series) => Math.abs(one.amountMinor + amountMinor)
  const [nearest] = data.payments
    .filter((one) => called(one.payee) === called(payee))
    .toSorted((a, b) => distance(a) - distance(b))
  return nearest ?? null
}

/** How often it is paid and when next; leads to what recurs. Nothing where it does not recur. */
export function RecurringRow({ shown }: { shown: Transaction }) {
  const { t } = useLingui()
  const series = useSeries(shown)
  return (
    series && (
      <DetailRow label={t({ message: 'Recurring', comment: 'A payment that comes again at a steady interval' })}>
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
        <Trans comment="How often and a date: Monthly, next on Sep 5">
          {every}, next on {day}
        </Trans>
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 rtl:-scale-x-100" strokeWidth={2} />
    </Link>
  )
}
