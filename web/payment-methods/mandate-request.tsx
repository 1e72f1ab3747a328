import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { Mandate, MandateDecision } from '#contract/direct-debits.ts'
import { MerchantMark } from '#web/accounts/shared/merchant-mark.tsx'
import { money } from '#web/i18n/formats.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { decideMandate } from '#web/payment-methods/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/screen.tsx'

type Decision = MandateDecision['decision']

/** Shows a biller's request to collect from the account. The customer accepts or refuses it. */
export function MandateRequest({ mandate }: { mandate: Mandate }) {
  const { t } = useLingui()
  const { id, billerName, reference, limitMinor, asset } = mandate
  const [chosenDecision, setChosen] = useState<Decision | null>(null)
  const { submit, busy } = useSubmission({
    send: (content: MandateDecision, key) => decideMandate(id, content, key),
    loading: () => t`Sending your answer…`,
    success: (_, { decision }) => ({
      message: decision === 'approve' ? t`${billerName} can now collect by direct debit` : t`Request declined`,
    }),
  })
  function decide(decision: Decision): void {
    setChosen(decision)
    void submit({ decision })
  }
  const limit = limitMinor === null ? null : money(limitMinor, asset)
  return (
    <Card className="@container border-primary p-4">
      <div className="flex items-start gap-3.5">
        <MerchantMark name={billerName} />
        <div className="min-w-0 flex-1">
          <h3 className="font-medium break-words">{billerName}</h3>
          <p className="text-sm text-pretty text-ink-soft">
            {limit === null ? (
              <Trans>Would like to collect payments from your account by direct debit.</Trans>
            ) : (
              <Trans>Would like to collect up to {limit} at a time from your account by direct debit.</Trans>
            )}
          </p>
          <p className="mt-1 text-sm break-words text-ink-soft">
            <Trans comment="The biller's own reference for a direct debit">
              Reference <bdi>{reference}</bdi>
            </Trans>
          </p>
        </div>
      </div>
      <div className="mt-4 grid grid-cols-[repeat(auto-fit,minmax(7rem,1fr))] gap-2">
        <Button
          size="small"
          aria-label={t`Approve ${billerName}`}
          busy={busy && chosenDecision === 'approve'}
          disabled={busy && chosenDecision !== 'approve'}
          onClick={() => decide('approve')}
        >
          <Trans context="direct debit">Approve</Trans>
        </Button>
        <Button
          size="small"
          variant="secondary"
          aria-label={t`Decline ${billerName}`}
          busy={busy && chosenDecision === 'decline'}
          disabled={busy && chosenDecision !== 'decline'}
          onClick={() => decide('decline')}
        >
          <Trans context="direct debit">Decline</Trans>
        </Button>
      </div>
    </Card>
  )
}
