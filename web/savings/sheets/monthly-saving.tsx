import { Trans, useLingui } from '@lingui/react/macro'
import type { Goal, GoalMonthlyRequest } from '#contract/savings.ts'
import { money } from '#web/i18n/formats.ts'
import { type FormCheck, formErrors, useForm } from '#web/lib/form.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { checkMoveAmount } from '#web/savings/move-form.ts'
import { setMonthly, stopMonthly } from '#web/savings/queries.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { amountText, parseMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'
import { useSheetEdits } from '#web/ui/sheet-edits.ts'
import { Field } from '#web/ui/field.tsx'

const LAST_DAY = 31

type Form = { amount: string; day: string }
type MonthlySavingProps = { goal: Goal; onDone: () => void }

/** Sets the amount and the day of a goal's monthly saving. */
export function MonthlySaving({ goal, onDone }: MonthlySavingProps) {
  const { t } = useLingui()
  const { id, name: goalName, monthly, monthlyNeedMinor } = goal
  const check: FormCheck<Form> = (values) => [
    ...checkMoveAmount(values),
    ...formErrors(
      dayOf(values.day) === null && {
        field: 'day' as const,
        code: 'request_invalid',
        text: t`Enter a day from 1 to 31`,
      },
    ),
  ]
  const suggestedMinor = monthly?.amountMinor ?? monthlyNeedMinor
  const form = useForm({
    initial: {
      amount: suggestedMinor === null ? '' : amountText(suggestedMinor),
      day: String(monthly?.dayOfMonth ?? 1),
    },
    check,
    read: ({ amount, day }: Form): GoalMonthlyRequest => ({
      amountMinor: parseMinor(amount),
      asset: 'USD',
      dayOfMonth: dayOf(day) ?? 1,
    }),
    send: (content: GoalMonthlyRequest) => setMonthly(id, content),
    loading: () => t`Saving…`,
    success: (_response, { amountMinor, asset }) => {
      const amount = money(amountMinor, asset)
      return { message: t`${amount} goes to ${goalName} every month` }
    },
    onDone,
  })
  useSheetEdits(monthly !== null && form.isEdited && !form.busy)
  const stop = useSubmission({
    send: () => stopMonthly(id),
    loading: () => t`Saving…`,
    success: () => ({ message: t`Monthly savings turned off` }),
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <AmountField {...form.field('amount')} label={t`Every month`} />
      <Field
        {...form.field('day')}
        label={t`Day of the Month`}
        inputMode="numeric"
        maxLength={2}
        autoComplete="off"
        hint={t`In shorter months, we'll move it on the last day. If there isn't enough in your account, we'll skip it and let you know.`}
      />
      <div className="flex flex-col gap-2">
        <Button type="submit" busy={form.busy} done={form.done}>
          <Trans>Save Every Month</Trans>
        </Button>
        {monthly && (
          <Button
            variant="secondary"
            busy={stop.busy}
            onClick={() => void stop.submit(id).then((stopped) => stopped === null || onDone())}
          >
            <Trans>Stop Monthly Savings</Trans>
          </Button>
        )}
      </div>
    </form>
  )
}

/** Returns a day of the month, or null if the text is not one. */
function dayOf(text: string): number | null {
  const day = /^\d{1,2}$/.test(text.trim()) ? Number(text) : 0
  return day >= 1 && day <= LAST_DAY ? day : null
}
