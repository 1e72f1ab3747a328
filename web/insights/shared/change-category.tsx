import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { CategoryPayment } from '#contract/analytics.ts'
import { SPENDING, type SpendingCategory } from '#contract/categories.ts'
import { SPENDING_LOOKS } from '#web/insights/category-words.ts'
import { recategorise } from '#web/insights/queries.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { Button } from '#web/ui/button.tsx'
import { Money } from '#web/ui/money.tsx'

type ChangeProps = {
  payment: Pick<CategoryPayment, 'id' | 'name' | 'amountMinor' | 'asset'>
  /** The payment's current category. */
  category: SpendingCategory
  onDone: () => void
  /** Returns to the category's payments. It is undefined if the sheet has no list to return to. */
  onBack?: () => void
}

/** Changes the category of one payment, or of all payments to the same payee. */
export function ChangeCategory({ payment, category, onDone, onBack }: ChangeProps) {
  const { t } = useLingui()
  const [chosenCategory, setChosen] = useState<SpendingCategory>(category)
  const { name } = payment
  const { submit, busy } = useSubmission({
    send: (scope: 'once' | 'payee') => recategorise(payment.id, { category: chosenCategory, scope }),
    loading: () => t`Saving…`,
    success: () => ({ message: t`Category changed` }),
  })
  const save = (scope: 'once' | 'payee') => void submit(scope).then((saved) => saved !== null && onDone())
  return (
    <div className="flex flex-col gap-4">
      <p className="-mb-2 flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="min-w-0 font-medium wrap-anywhere">{name}</span>
        <Money
          amountMinor={payment.amountMinor}
          asset={payment.asset}
          sign="always"
          className="ms-auto font-semibold"
        />
      </p>
      <fieldset className="flex flex-col gap-1">
        <legend className="pb-2 text-sm text-pretty text-ink-soft">
          <Trans>This changes your analytics and budgets. Your transactions stay as they are.</Trans>
        </legend>
        {SPENDING.map((option) => (
          <label key={option} className="flex min-h-11 items-center gap-3 font-medium">
            <input
              type="radio"
              name="category"
              checked={chosenCategory === option}
              onChange={() => setChosen(option)}
              className="size-5 accent-primary"
            />
            {t(SPENDING_LOOKS[option].name)}
          </label>
        ))}
      </fieldset>
      <div className="flex flex-col gap-2">
        <Button busy={busy} disabled={chosenCategory === category && !busy} onClick={() => save('once')}>
          <Trans>This Payment Only</Trans>
        </Button>
        <Button variant="secondary" disabled={busy || chosenCategory === category} onClick={() => save('payee')}>
          <Trans>All from {name}</Trans>
        </Button>
        {onBack && (
          <Button variant="secondary" disabled={busy} onClick={onBack}>
            <Trans>Back to Payments</Trans>
          </Button>
        )}
      </div>
    </div>
  )
}
