import { Trans, useLingui } from '@lingui/react/macro'
import { LockKeyhole, MessageSquareWarning } from 'lucide-react'
import { useState } from 'react'
import { KYC_STEPS, type KycStep } from '#contract/documents.ts'
import type { Kyc } from '#contract/kyc.ts'
import { Checklist } from '#web/kyc/upload/checklist.tsx'
import { CaseReason } from '#web/kyc/case-reason.tsx'
import { StepCard } from '#web/kyc/upload/step-card.tsx'
import { documentOf, nextPending } from '#web/kyc/steps.ts'
import { Button } from '#web/ui/button.tsx'
import { Columns } from '#web/ui/columns.tsx'
import { cx } from '#web/ui/cx.ts'

const LAST: KycStep = 'address'

type StepsViewProps = {
  kyc: Kyc
  submit: () => void
  busy: boolean
  /** Whether the documents are submitted. The steps then stay visible until the next screen opens. */
  done: boolean
}

/** Shows the three steps one at a time, and the button to submit them when all are complete. */
export function StepsView({ kyc, submit, busy, done }: StepsViewProps) {
  const { t } = useLingui()
  const [current, setCurrent] = useState<KycStep>(() => nextPending(kyc) ?? LAST)
  return (
    <Columns>
      <>
        {kyc.status === 'again' && kyc.reason && (
          <CaseReason icon={MessageSquareWarning} title={t`We need new documents`} reason={kyc.reason} />
        )}
        <StepProgress kyc={kyc} current={current} />
        {KYC_STEPS.map((step) => (
          <StepCard
            key={step}
            step={step}
            kyc={kyc}
            current={step === current}
            disabled={busy || done}
            onAdvance={(from, to) => setCurrent((currentStep) => (currentStep === from ? to : currentStep))}
          />
        ))}
      </>
      <>
        {nextPending(kyc) === null && (
          <Button busy={busy} done={done} onClick={submit}>
            <Trans comment="A button that completes the verification">Complete Verification</Trans>
          </Button>
        )}
        <Checklist kyc={kyc} current={current} onOpen={setCurrent} />
        <Fineprint specimens={kyc.specimens} />
      </>
    </Columns>
  )
}

function StepProgress({ kyc, current }: { kyc: Kyc; current: KycStep }) {
  const step = KYC_STEPS.indexOf(current) + 1
  const steps = KYC_STEPS.length
  return (
    <div>
      <p className="tabular px-1 text-sm font-medium text-ink-soft">
        <Trans>
          Step {step} of {steps}
        </Trans>
      </p>
      <div aria-hidden className="mt-2 grid grid-cols-3 gap-1.5">
        {KYC_STEPS.map((kycStep) => (
          <span
            key={kycStep}
            className={cx(
              'h-1.5 rounded-full transition-colors duration-300',
              documentOf(kyc, kycStep) ? 'bg-primary' : kycStep === current ? 'bg-primary/40' : 'bg-line',
            )}
          />
        ))}
      </div>
    </div>
  )
}

function Fineprint({ specimens }: { specimens: boolean }) {
  return (
    <p className="flex gap-2.5 px-1 text-sm text-pretty text-ink-soft">
      <LockKeyhole aria-hidden className="mt-0.5 size-4 shrink-0" strokeWidth={2} />
      <span className="min-w-0">
        {specimens ? (
          <Trans>
            This is a sample bank: Upload Document sends a sample, so you don't need a document of your own. If you do
            choose a file, we keep it encrypted.
          </Trans>
        ) : (
          <Trans>
            JPEG, PNG or PDF, up to 10 MB. Kept encrypted, and seen only by you and our reviewers. Your daily limit is
            lower until you're verified.
          </Trans>
        )}
      </span>
    </p>
  )
}
