import { Trans, useLingui } from '@lingui/react/macro'
import type { LoanDetails, LoanWithdrawalRequest } from '#contract/loans.ts'
import { money } from '#web/i18n/formats.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { withdrawFromLoan } from '#web/loans/shared/queries.ts'
import { Button } from '#web/ui/button.tsx'

type WithdrawLoanProps = { loan: LoanDetails; onDone: () => void }

/** Takes back a loan in its first 14 days. */
export function WithdrawLoan({ loan: { id, asset, owed }, onDone }: WithdrawLoanProps) {
  const { t } = useLingui()
  const [all, principal] = [money(owed.totalMinor, asset), money(owed.principalMinor, asset)]
  const interest = money(owed.interestMinor, asset)
  const { submit, busy } = useSubmission({
    send: (content: LoanWithdrawalRequest, key) => withdrawFromLoan(id, content, key),
    loading: () => t`Cancelling your loan…`,
    success: ({ amountMinor }) => {
      const amount = money(amountMinor, asset)
      return { message: t`Your loan is cancelled`, description: t`You paid back ${amount}.` }
    },
    outcome: () => ({ sent: t`Your loan was cancelled`, notSent: t`Cancelled. Your loan goes on` }),
  })
  return (
    <div className="flex flex-col gap-5">
      <p className="tabular text-pretty text-ink-soft">
        <Trans comment="Amounts of money: all that is paid back, what is left of the loan, and interest">
          We take {all} from your account: {principal} of the loan, and {interest} of interest up to today. You pay
          nothing else.
        </Trans>
      </p>
      <div className="flex flex-col gap-2">
        <Button
          variant="danger"
          busy={busy}
          onClick={() =>
            void submit({ amountMinor: owed.totalMinor, asset: 'USD' }).then(
              (withdrawn) => withdrawn === null || onDone(),
            )
          }
        >
          <Trans>Cancel Loan and Pay Back</Trans>
        </Button>
        <Button variant="secondary" disabled={busy} onClick={onDone}>
          <Trans>Keep the Loan</Trans>
        </Button>
      </div>
    </div>
  )
}
