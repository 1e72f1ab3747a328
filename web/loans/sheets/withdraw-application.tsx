import { Trans, useLingui } from '@lingui/react/macro'
import type { LoanApplication } from '#contract/loans.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { withdrawApplication } from '#web/loans/shared/queries.ts'
import { Button } from '#web/ui/button.tsx'

type WithdrawApplicationProps = { application: LoanApplication; onDone: () => void }

/** Withdraws an application, or declines its offer. */
export function WithdrawApplication({ application: { id, status }, onDone }: WithdrawApplicationProps) {
  const { t } = useLingui()
  const isOffer = status === 'offered'
  const { submit, busy } = useSubmission({
    send: (applicationId: string) => withdrawApplication(applicationId),
    loading: () => t`Saving…`,
    success: () => ({ message: isOffer ? t`You declined the offer` : t`Your application is withdrawn` }),
  })
  return (
    <div className="flex flex-col gap-5">
      <p className="text-pretty text-ink-soft">
        <Trans>You can apply again whenever you like. It doesn't affect your score.</Trans>
      </p>
      <div className="flex flex-col gap-2">
        <Button
          variant="danger"
          busy={busy}
          onClick={() => void submit(id).then((withdrawn) => withdrawn === null || onDone())}
        >
          {isOffer ? (
            <Trans comment="The offer is a loan offer">Decline Offer</Trans>
          ) : (
            <Trans>Withdraw Application</Trans>
          )}
        </Button>
        <Button variant="secondary" disabled={busy} onClick={onDone}>
          {isOffer ? <Trans>Keep the Offer</Trans> : <Trans context="a loan application">Keep It</Trans>}
        </Button>
      </div>
    </div>
  )
}
