import { Trans, useLingui } from '@lingui/react/macro'
import type { BudgetRequest } from '#contract/analytics.ts'
import type { SpendingCategory } from '#contract/categories.ts'
import { setBudget } from '#web/insights/queries.ts'
import { type FormCheck, useForm } from '#web/lib/form.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { amountErrors, amountText, parseMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'
import { useSheetEdits } from '#web/ui/sheet-edits.ts'
import { AmountField } from '#web/ui/amount-field.tsx'

const check: FormCheck<{ amount: string }> = ({ amount }) =>
  amountErrors('amount', amount, { tooLarge: 'amount_invalid' })

/** Sets the monthly budget of a category. */
export function BudgetForm({ category, budgetMinor }: { category: SpendingCategory; budgetMinor: number | null }) {
  const { t } = useLingui()
  const initial = { amount: budgetMinor === null ? '' : amountText(budgetMinor) }
  const form = useForm({
    initial,
    latest: initial,
    check,
    read: ({ amount }): BudgetRequest => ({ category, limitMinor: parseMinor(amount), asset: 'USD' }),
    send: (content: BudgetRequest) => setBudget(content),
    loading: () => t`Saving…`,
    success: () => ({ message: t`Budget saved` }),
    onDone: (_, { limitMinor }) => form.reset({ amount: limitMinor === null ? '' : amountText(limitMinor) }),
  })
  useSheetEdits(budgetMinor !== null && form.isEdited && !form.busy)
  const remove = useSubmission({
    send: (content: BudgetRequest) => setBudget(content),
    loading: () => t`Saving…`,
    success: () => ({ message: t`Budget removed` }),
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
      <AmountField
        look="line"
        {...form.field('amount')}
        label={t`Monthly Budget`}
        hint={t`We'll let you know at 80%, and again when it's used up.`}
      />
      <div className="flex flex-col gap-2">
        <Button type="submit" variant="secondary" busy={form.busy}>
          <Trans>Save Budget</Trans>
        </Button>
        {budgetMinor !== null && (
          <Button
            variant="secondary"
            busy={remove.busy}
            onClick={() => void remove.submit({ category, limitMinor: null, asset: 'USD' })}
          >
            <Trans>Remove Budget</Trans>
          </Button>
        )}
      </div>
    </form>
  )
}
