import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { Investments } from '#contract/investing.ts'
import { Questions } from '#web/investing/sheets/questions.tsx'
import { InvestingRiskNotice } from '#web/investing/sheets/risk-notice.tsx'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Stepper } from '#web/ui/stepper.tsx'

/** The number of steps: the suitability questions, the risk notice, and the investment itself. */
const STEPS = 3

/**
 * Shows the steps before a first investment: identity verification, suitability questions and risks. Then it shows `children`.
 */
export function SuitabilityGate({ data, children }: { data: Investments; children: ReactNode }) {
  const { t } = useLingui()
  const { mustVerify, suitability, riskAccepted } = data
  const step = suitability === null ? 1 : riskAccepted ? STEPS : 2
  // A customer who completed all steps earlier sees no step numbers.
  const [isFirstInvestment] = useState(step < STEPS)
  if (mustVerify) return <VerifyFirst />
  return (
    <div key={step} ref={showFromTop}>
      {isFirstInvestment && (
        <div className="pb-5">
          <Stepper step={step} steps={STEPS} label={t`Your first investment`} />
        </div>
      )}
      {step === 1 ? <Questions /> : step === 2 ? <InvestingRiskNotice /> : children}
    </div>
  )
}

/** Scrolls a new step to its top, independent of the scroll position of the previous step. */
function showFromTop(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'start' })
}

function VerifyFirst() {
  return (
    <div className="flex flex-col gap-5">
      <p className="text-pretty text-ink-soft">
        <Trans>
          Before you invest, we need to verify your identity. You'll need your ID, a selfie and proof of address.
        </Trans>
      </p>
      <ButtonLink to={paths.kyc}>
        <Trans>Verify Your Identity</Trans>
      </ButtonLink>
    </div>
  )
}
