import { Trans, useLingui } from '@lingui/react/macro'
import type { LoanDetails, LoanWithdrawalRequest } from '#contract/loans.ts'
import { money } from '#web/i18n/formats.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { withdrawFromLoan } from '#web/loans/shared/queries.ts'
import { Button } from '#web/ui/button.tsx'

type WithdrawLoanProps = { loan: LoanDetails; onDone: () => void }

/** Cancels a loan within its first 14 days. */
export function WithdrawLoan({ loan: { id, asset, owed }, onDone }: WithdrawLoanProps) {
  const { t } = useLingui()
  const [all, principal] = [money(owed.totalMinor, asset), money(owed.principalMinor, asset)]
  const interest = money(owed.interestMinor, asset)
  const { submit, busy } = useSubmission({
    send: (content: LoanWithdrawalRequest, key) => withdrawFromLoan(id, content, key),
    loading: () => t`Canceling your loan…`,
    success: ({ amountMinor }) => {
      const amount = money(amountMinor, asset)
      return { message: t`Your loan is canceled`, description: t`You paid back ${amount}.` }
    },
    outcome: () => ({ sent: t`Your loan was canceled`, notSent: t`Canceled. Your loan continues` }),
  })
  return (
    <div className="flex flex-col gap-5">
      <p className="tabular text-pretty text-ink-soft">
        <Trans comment="{all} is the total repayment, {principal} the rest of the loan, and {interest} the interest">
          We'll take {all} from your account: {principal} for the loan, and {interest} in interest up to today. There's
          nothing else to pay.
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
