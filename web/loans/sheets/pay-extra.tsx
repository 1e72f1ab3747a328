import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { LoanDetails } from '#contract/loans.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { money } from '#web/i18n/formats.ts'
import { type FormCheck, formErrors, useForm } from '#web/lib/form.ts'
import { payExtra } from '#web/loans/shared/queries.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { amountErrors, amountText, parseMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'

type PayExtraProps = { loan: LoanDetails; onDone: () => void }
type Values = { amount: string }

/** The smallest extra payment in US cents, unless the customer owes less. */
const MIN_MINOR = 1_00

/** Returns the form's check. `owedMinor` is the amount that the customer owes today. */
function checkFor(owedMinor: number): FormCheck<Values> {
  return ({ amount }) => {
    const amountMinor = parseMinor(amount)
    return [
      ...amountErrors<'amount'>('amount', amount, { tooLarge: 'loan_overpaid' }),
      ...formErrors<'amount'>(
        amountMinor > owedMinor && { field: 'amount', code: 'loan_overpaid' },
        amountMinor < Math.min(MIN_MINOR, owedMinor) && { field: 'amount', code: 'loan_payment_too_small' },
      ),
    ]
  }
}

/** Makes a payment in addition to the monthly ones. The overdue amount is prefilled. */
export function PayExtra({ loan, onDone }: PayExtraProps) {
  const { t } = useLingui()
  const { id, asset, owed, overdueMinor } = loan
  const account = useQuery(dashboardQuery).data?.account
  const form = useForm({
    initial: { amount: overdueMinor > 0 ? amountText(overdueMinor, asset) : '' },
    startAt: 'amount',
    check: checkFor(owed.totalMinor),
    read: ({ amount }: Values) => ({ amountMinor: parseMinor(amount), asset: 'USD' as const }),
    send: (content, key) => payExtra(id, content, key),
    loading: ({ amountMinor }) => {
      const amount = money(amountMinor, asset)
      return t`Paying ${amount}…`
    },
    success: ({ amountMinor, principalMinor, principalLeftMinor }) => {
      const [amount, principal] = [money(amountMinor, asset), money(principalMinor, asset)]
      const left = money(principalLeftMinor, asset)
      return principalLeftMinor === 0
        ? { message: t`Your loan is repaid` }
        : { message: t`${amount} paid`, description: t`${principal} went toward the loan. ${left} is left to repay.` }
    },
    outcome: ({ amountMinor }) => {
      const amount = money(amountMinor, asset)
      return { sent: t`${amount} was paid`, notSent: t`Canceled. Nothing was paid` }
    },
    refusedField: () => 'amount',
    onDone,
  })
  const short = account !== undefined && parseMinor(form.values.amount) > account.availableMinor
  const available = account && money(account.availableMinor, account.asset)
  const { error, ...field } = form.field('amount')
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <AmountField
        {...field}
        label={t`Amount`}
        error={error ?? (short ? errorText('insufficient_funds') : undefined)}
        hint={
          <span className="tabular">
            {available
              ? t({ message: `${available} available`, comment: '{available} is the amount that can be sent' })
              : ' '}
          </span>
        }
      />
      <Effect loan={loan} />
      <Button type="submit" busy={form.busy} done={form.done}>
        <Trans comment="Makes an extra payment on a loan">Pay</Trans>
      </Button>
    </form>
  )
}

/** Explains the effect of the payment. It pays interest first, then late fees, and then the loan itself. */
function Effect({ loan: { asset, owed, overdueMinor, instalmentMinor } }: Pick<PayExtraProps, 'loan'>) {
  const [all, instalment] = [money(owed.totalMinor, asset), money(instalmentMinor, asset)]
  return (
    <p className="tabular text-sm text-pretty text-ink-soft">
      {overdueMinor > 0 || owed.feesMinor > 0 ? (
        <Trans comment="{all} is the rest of a loan">
          Your payment goes first to interest up to today, then to late fees, and then to the loan itself. You owe {all}{' '}
          today.
        </Trans>
      ) : (
        <Trans comment="{instalment} is the monthly payment, {all} the rest of a loan">
          Your payment goes first to interest up to today, and then to the loan itself. You keep paying {instalment} a
          month and finish sooner. You owe {all} today.
        </Trans>
      )}
    </p>
  )
}
