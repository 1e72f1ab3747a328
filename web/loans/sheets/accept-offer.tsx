import { Trans, useLingui } from '@lingui/react/macro'
import type { LoanApplication } from '#contract/loans.ts'
import { money } from '#web/i18n/formats.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { OfferTerms } from '#web/loans/current/application-card.tsx'
import { acceptOffer } from '#web/loans/shared/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/screen.tsx'

type AcceptOfferProps = { application: LoanApplication; today: string; onDone: () => void }

/** Shows the terms again before the money is paid out. */
export function AcceptOffer({ application, today, onDone }: AcceptOfferProps) {
  const { t } = useLingui()
  const { id, amountMinor, asset, offer } = application
  const amount = money(amountMinor, asset)
  const { submit, busy, done } = useSubmission({
    send: (applicationId: string, key) => acceptOffer(applicationId, key),
    loading: () => t`Paying out your loan…`,
    success: () => ({ message: t`${amount} is in your account` }),
    outcome: () => ({ sent: t`The offer was accepted`, notSent: t`Canceled. The offer was not accepted` }),
  })
  return (
    <div className="flex flex-col gap-5">
      <p className="text-pretty text-ink-soft">
        <Trans comment="{amount} is the amount of a loan">
          {amount} goes to your account right away. We'll take the payments from there each month.
        </Trans>
      </p>
      {offer && (
        <Card className="p-4">
          <OfferTerms application={application} offer={offer} today={today} />
        </Card>
      )}
      <p className="text-sm text-pretty text-ink-soft">
        <Trans>You have 14 days to cancel, and you can repay early at any time without a fee.</Trans>
      </p>
      <div className="flex flex-col gap-2">
        <Button
          busy={busy}
          done={done}
          onClick={() => void submit(id).then((accepted) => accepted === null || onDone())}
        >
          <Trans comment="The offer is a loan offer">Accept Offer</Trans>
        </Button>
        <Button variant="secondary" disabled={busy} onClick={onDone}>
          <Trans>Not Now</Trans>
        </Button>
      </div>
    </div>
  )
}
