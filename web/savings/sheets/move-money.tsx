import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { Goal } from '#contract/savings.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { money } from '#web/i18n/formats.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { useMoveForm } from '#web/savings/move-form.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { amountText, parseMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'

type MoveMoneyProps = { goal: Goal; direction: 'in' | 'out'; onDone: () => void }

/** Moves money from the current account to a goal, or back. */
export function MoveMoney({ goal, direction, onDone }: MoveMoneyProps) {
  const { t } = useLingui()
  const isIn = direction === 'in'
  const form = useMoveForm(goal, direction, onDone)
  const account = useQuery(dashboardQuery).data?.account
  const mostMinor = isIn ? account?.availableMinor : goal.savedMinor
  const short = mostMinor !== undefined && parseMinor(form.values.amount) > mostMinor
  const available = mostMinor === undefined ? undefined : money(mostMinor, goal.asset)
  const { error, ...field } = form.field('amount')
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <AmountField
        {...field}
        label={t`Amount`}
        error={error ?? (short ? errorText('insufficient_funds') : undefined)}
        hint={
          <span className="tabular">
            {available === undefined
              ? ' '
              : isIn
                ? t({ message: `${available} available`, comment: '{available} is the amount that can be sent' })
                : t({ message: `${available} in this goal`, comment: 'The balance of a savings goal' })}
          </span>
        }
        action={
          !isIn &&
          goal.savedMinor > 0 && (
            <Button
              variant="quiet"
              size="small"
              className="-mx-3 !px-3"
              onClick={() => {
                form.set('amount', amountText(goal.savedMinor, goal.asset))
                form.focus('amount')
              }}
            >
              <Trans comment="Withdraws all money from a savings goal">Withdraw All</Trans>
            </Button>
          )
        }
      />
      <Button type="submit" busy={form.busy} done={form.done}>
        {isIn ? <Trans context="to a savings goal">Add Money</Trans> : <Trans>Withdraw Money</Trans>}
      </Button>
    </form>
  )
}
