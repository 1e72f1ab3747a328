import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { LoanDetails } from '#contract/loans.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { errorText } from '#web/i18n/error-text.ts'
import { money } from '#web/i18n/formats.ts'
import { type Check, faults, useForm } from '#web/lib/form.ts'
import { payExtra } from '#web/loans/shared/queries.ts'
import { AmountField } from '#web/ui/amount-field.tsx'
import { amountFaults, amountText, readMinor } from '#web/lib/amounts.ts'
import { Button } from '#web/ui/button.tsx'

type PayExtraProps = { loan: LoanDetails; onDone: () => void }
type Form = { amount: string }

/** The least that is paid beside the monthly payments, unless less is owed: US cents. */
const LEAST_MINOR = 1_00

/** `owedMinor`: what is owed today. */
function checkFor(owedMinor: number): Check<Form> {
  return ({ amount }) => {
    const amountMinor = readMinor(amount)
    return [
      ...amountFaults<'amount'>('amount', amount, { tooLarge: 'loan_overpaid' }),
      ...faults<'amount'>(
        amountMinor > owedMinor && { field: 'amount', code: 'loan_overpaid' },
        amountMinor < Math.min(LEAST_MINOR, owedMinor) && { field: 'amount', code: 'loan_payment_too_small' },
      ),
    ]
  }
}

/** A payment beside the monthly ones. What is overdue is what it starts with. */
export function PayExtra({ loan, onDone }: PayExtraProps) {
  const { t } = useLingui()
  const { id, asset, owed, overdueMinor } = loan
  const account = useQuery(dashboardQuery).data?.account
  const form = useForm({
    initial: { amount: overdueMinor > 0 ? amountText(overdueMinor, asset) : '' },
    startAt: 'amount',
    check: checkFor(owed.totalMinor),
    read: ({ amount }: Form) => ({ amountMinor: readMinor(amount), asset: 'USD' as const }),
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
        : { message: t`${amount} paid`, description: t`${principal} went to the loan itself. ${left} of it is left.` }
    },
    outcome: ({ amountMinor }) => {
      const amount = money(amountMinor, asset)
      return { sent: t`${amount} was paid`, notSent: t`Cancelled. Nothing was paid` }
    },
    refusedField: () => 'amount',
    onDone,
  })
  const short = account !== undefined && readMinor(form.values.amount) > account.availableMinor
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
            {available ? t({ message: `${available} available`, comment: 'How much there is to send' }) : ' '}
          </span>
        }
      />
      <Effect loan={loan} />
      <Button type="submit" busy={form.busy} done={form.done}>
        <Trans comment="Something extra on a loan">Pay</Trans>
      </Button>
    </form>
  )
}

/** What it changes. Of a loan that is late, it may do no more than catch up. */
function Effect({ loan: { asset, owed, overdueMinor, instalmentMinor } }: Pick<PayExtraProps, 'loan'>) {
  const [all, instalment] = [money(owed.totalMinor, asset), money(instalmentMinor, asset)]
  return (
    <p className="tabular text-sm text-pretty text-ink-soft">
      {overdueMinor > 0 || owed.feesMinor > 0 ? (
        <Trans comment="{all} is what is owed on a loan">
          It pays the interest up to today first, then late fees, and then the loan itself. You owe {all} today.
        </Trans>
      ) : (
        <Trans comment="{instalment} is the monthly payment, {all} what is owed on a loan">
          It pays the interest up to today first, and then the loan itself. You keep paying {instalment} a month and are
          done sooner. You owe {all} today.
        </Trans>
      )}
    </p>
  )
}
