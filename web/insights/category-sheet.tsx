import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Analytics, CategoryPayment } from '#contract/analytics.ts'
import type { SpendingCategory } from '#contract/categories.ts'
import { useBusinessDay } from '#web/accounts/queries.ts'
import { MerchantMark } from '#web/accounts/shared/merchant-mark.tsx'
import { monthAndYear, shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { BudgetForm } from '#web/insights/budget-form.tsx'
import { SPENDING_LOOKS } from '#web/insights/category-words.ts'
import { paymentsQuery } from '#web/insights/queries.ts'
import { isCurrentMonth } from '#web/insights/current-month.ts'
import { ChangeCategory } from '#web/insights/shared/change-category.tsx'
import { paths } from '#web/lib/paths.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Money } from '#web/ui/money.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Sheet, type SheetsProps } from '#web/ui/sheet.tsx'
import { ShowMore } from '#web/ui/show-more.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

/** Shows a month's payments in a category, and its budget. */
export function CategorySheet(props: SheetsProps<SpendingCategory, Analytics>) {
  const { shown: category, data, open, close } = props
  const { month, categories } = data
  const { t } = useLingui()
  const [changedPayment, setChanging] = useState<CategoryPayment | null>(null)
  const part = categories.find((row) => row.category === category)
  const spent = money(part?.spentMinor ?? 0, 'USD')
  const monthName = monthAndYear(month)
  const total = t`${spent} in ${monthName}`
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => next || close()}
      title={changedPayment ? t`Change category` : t(SPENDING_LOOKS[category].name)}
      description={changedPayment ? changedPayment.name : total}
    >
      {changedPayment ? (
        <ChangeCategory
          payment={changedPayment}
          category={category}
          onDone={() => setChanging(null)}
          onBack={() => setChanging(null)}
        />
      ) : (
        <div className="flex flex-col gap-5">
          {/* Hidden from screen readers, because the sheet's title contains the same text. */}
          <p aria-hidden className="-mt-2 -mb-2 text-ink-soft">
            {total}
          </p>
          {/* A budget applies from this month on, so past months have no form. */}
          {isCurrentMonth(data) && <BudgetForm category={category} budgetMinor={part?.budgetMinor ?? null} />}
          <Payments month={month} category={category} onChange={setChanging} />
        </div>
      )}
    </Sheet>
  )
}

type PaymentsProps = { month: string; category: SpendingCategory; onChange: (payment: CategoryPayment) => void }

function Payments({ month, category, onChange }: PaymentsProps) {
  const list = useInfiniteQuery(paymentsQuery(month, category))
  const today = useBusinessDay()
  if (list.error && !list.data) return <LoadFailure {...list} />
  const payments = list.data?.pages.flatMap((page) => page.payments)
  if (!payments) return <RowSkeletons count={3} />
  if (payments.length === 0)
    return (
      <p className="text-ink-soft">
        <Trans>No payments in this category.</Trans>
      </p>
    )
  return (
    <div>
      <Card>
        <ul className="divide-y divide-line">
          {payments.map((payment) => (
            <li key={payment.id} className="flex flex-wrap items-start gap-x-3 px-4 py-3">
              <Link
                to={{ pathname: paths.transactionDetail, search: `?id=${encodeURIComponent(payment.id)}` }}
                className="flex min-h-11 min-w-0 flex-1 basis-44 items-start gap-3"
              >
                <MerchantMark name={payment.name} />
                <span className="min-w-0 wrap-anywhere">
                  <span className="block font-medium">{payment.name}</span>
                  <span className="block text-sm text-ink-soft">{shortDay(payment.bookedAt, today)}</span>
                </span>
              </Link>
              <span className="ms-auto flex flex-col items-end">
                <Money
                  amountMinor={payment.amountMinor}
                  asset={payment.asset}
                  sign="always"
                  className="font-semibold"
                />
                <ChangeButton payment={payment} onChange={onChange} />
              </span>
            </li>
          ))}
        </ul>
      </Card>
      <ShowMore list={list} />
    </div>
  )
}

function ChangeButton({ payment, onChange }: { payment: CategoryPayment; onChange: PaymentsProps['onChange'] }) {
  const { t } = useLingui()
  const { name } = payment
  return (
    <button
      type="button"
      aria-label={t`Change Category of ${name}`}
      onClick={() => onChange(payment)}
      // The button has the height of a touch target without making the line higher.
      className="-my-3 -me-3 min-h-11 px-3 text-sm font-medium text-primary"
    >
      <Trans comment="Changes the category of a payment">Change</Trans>
    </button>
  )
}
