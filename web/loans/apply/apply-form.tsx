import { Trans, useLingui } from '@lingui/react/macro'
import { ShieldCheck } from 'lucide-react'
import type { LoanApplicationRequest, PreApproval } from '#contract/loans.ts'
import { useForm } from '#web/lib/form.ts'
import { paths } from '#web/lib/paths.ts'
import { useCustomerFormDraft } from '#web/lib/form-draft.ts'
import { Calculator } from '#web/loans/apply/calculator.tsx'
import { type LoanForm, parseLoanAmount, parseMonths, useLoanCheck, defaultLoan } from '#web/loans/apply/loan-form.ts'
import { PreApproved } from '#web/loans/apply/pre-approval.tsx'
import { applyForLoan } from '#web/loans/shared/queries.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Card } from '#web/ui/screen.tsx'

/** The reason why a customer cannot apply now: an open loan, an open application, or an unverified identity. */
export type Obstacle = 'loan' | 'application' | 'verify'

type ApplyFormProps = {
  approval: PreApproval | undefined
  /** The reason why the customer cannot apply now. It is null if the customer can apply, and undefined while it is unknown. */
  obstacle: Obstacle | null | undefined
  onApplied: () => void
}

/** Shows the loan calculator and the button to apply for the calculated loan. */
export function ApplyForm({ approval, obstacle, onApplied }: ApplyFormProps) {
  const { t } = useLingui()
  const form = useForm({
    initial: defaultLoan(),
    // Without any pre-approval there is no limit to check. The customer learns the reasons from the decision.
    check: useLoanCheck(obstacle === null && approval && approval.limitMinor > 0 ? approval.limitMinor : null),
    read: ({ amount, months }: LoanForm): LoanApplicationRequest => ({
      amountMinor: parseLoanAmount(amount) ?? 0,
      asset: 'USD',
      months: parseMonths(months) ?? 0,
    }),
    send: applyForLoan,
    loading: () => t`Sending your application…`,
    success: () => ({ message: t`Loan application submitted! We'll review and respond within 24 hours.` }),
    outcome: () => ({ sent: t`Your application was sent`, notSent: t`Canceled. You haven't applied` }),
    refusedField: ({ field, code }) =>
      field === 'months' || code === 'loan_term_invalid' ? 'months' : field === 'amountMinor' ? 'amount' : null,
    onDone: onApplied,
  })
  useCustomerFormDraft(paths.loans, form)
  // Until the reason is known, the form looks as it does for customers who can apply, because most customers can.
  const isBlocked = obstacle === 'loan' || obstacle === 'application'
  return (
    <form noValidate aria-label={t`Loan Calculator`} onSubmit={form.onSubmit} className="flex flex-col gap-5">
      {isBlocked && (
        <h2 className="-mb-2 px-1 text-[1.0625rem] font-semibold tracking-tight">
          <Trans>Loan Calculator</Trans>
        </h2>
      )}
      <Calculator form={form} />
      {!isBlocked && <PreApproved approval={approval} />}
      {obstacle === 'verify' ? (
        <Verify />
      ) : (
        <div className="flex flex-col gap-2.5">
          <Button type="submit" busy={form.busy} done={form.done} disabled={obstacle !== null}>
            <Trans>Apply for Loan</Trans>
          </Button>
          <p className="text-center text-sm text-balance text-ink-soft">
            <Note obstacle={obstacle} none={approval?.limitMinor === 0} />
          </p>
        </div>
      )}
    </form>
  )
}

function Verify() {
  const { t } = useLingui()
  return (
    <Card>
      <EmptyState
        icon={ShieldCheck}
        title={t`Verify your identity first`}
        action={
          <ButtonLink to={paths.kyc}>
            <Trans>Verify Identity</Trans>
          </ButtonLink>
        }
      >
        <Trans>
          You can apply for a loan once we've verified your identity. Sending your documents takes a few minutes.
        </Trans>
      </EmptyState>
    </Card>
  )
}

function Note({ obstacle, none }: Pick<ApplyFormProps, 'obstacle'> & { none: boolean }) {
  if (obstacle === 'loan') return <Trans>You can apply for another loan once you've repaid this one.</Trans>
  if (obstacle === 'application') return <Trans>You can have one application at a time.</Trans>
  if (none)
    return (
      <Trans>You can apply, but right now we'd have to decline. Your credit score shows what would change that.</Trans>
    )
  return <Trans>We decide within 24 hours. Applying doesn't commit you to anything.</Trans>
}
