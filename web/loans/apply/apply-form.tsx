import { Trans, useLingui } from '@lingui/react/macro'
import { ShieldCheck } from 'lucide-react'
import type { LoanApplicationRequest, PreApproval } from '#contract/loans.ts'
import { useForm } from '#web/lib/form.ts'
import { paths } from '#web/lib/paths.ts'
import { useMyTyped } from '#web/lib/typed.ts'
import { Calculator } from '#web/loans/apply/calculator.tsx'
import { type LoanForm, readLoan, readMonths, useLoanCheck, usualLoan } from '#web/loans/apply/loan-form.ts'
import { PreApproved } from '#web/loans/apply/pre-approval.tsx'
import { applyForLoan } from '#web/loans/shared/queries.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Card } from '#web/ui/screen.tsx'

/** Why a customer cannot apply just now: a loan or an application is open, or identity must be verified first. */
export type Obstacle = 'loan' | 'application' | 'verify'

type ApplyFormProps = {
  approval: PreApproval | undefined
  /** Why the customer cannot apply just now; undefined while nobody knows, null where they can. */
  obstacle: Obstacle | null | undefined
  onApplied: () => void
}

/** The calculator, and the way to apply for what it shows. */
export function ApplyForm({ approval, obstacle, onApplied }: ApplyFormProps) {
  const { t } = useLingui()
  const form = useForm({
    initial: usualLoan(),
    // Who is not pre-approved at all learns from the decision why.
    check: useLoanCheck(obstacle === null && approval && approval.limitMinor > 0 ? approval.limitMinor : null),
    read: ({ amount, months }: LoanForm): LoanApplicationRequest => ({
      amountMinor: readLoan(amount) ?? 0,
      asset: 'USD',
      months: readMonths(months) ?? 0,
    }),
    send: applyForLoan,
    loading: () => t`Sending your application…`,
    success: () => ({ message: t`Loan application submitted! We'll review and respond within 24 hours.` }),
    outcome: () => ({ sent: t`Your application was sent`, notSent: t`Cancelled. You haven't applied` }),
    refusedField: ({ field, code }) =>
      field === 'months' || code === 'loan_term_invalid' ? 'months' : field === 'amountMinor' ? 'amount' : null,
    onDone: onApplied,
  })
  useMyTyped(paths.loans, form)
  // While nobody knows, it is drawn as for most: they can apply.
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
      <Notice
        icon={ShieldCheck}
        title={t`Verify your identity first`}
        action={
          <ButtonLink to={paths.kyc}>
            <Trans>Verify Identity</Trans>
          </ButtonLink>
        }
      >
        <Trans>You can apply for a loan once we know who you are. It takes a few minutes.</Trans>
      </Notice>
    </Card>
  )
}

function Note({ obstacle, none }: Pick<ApplyFormProps, 'obstacle'> & { none: boolean }) {
  if (obstacle === 'loan') return <Trans>You can apply for another loan once you've repaid this one.</Trans>
  if (obstacle === 'application') return <Trans>You can have one application at a time.</Trans>
  if (none)
    return (
      <Trans>
        You can apply, but as things stand we'd have to say no. Your credit score shows what would change that.
      </Trans>
    )
  return <Trans>We decide within 24 hours. Applying doesn't commit you to anything.</Trans>
}
