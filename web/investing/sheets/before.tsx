import { Trans, useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { Investments } from '#contract/investing.ts'
import { Questions } from '#web/investing/sheets/questions.tsx'
import { RiskNotice } from '#web/investing/sheets/risk-notice.tsx'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Stepper } from '#web/ui/stepper.tsx'

const STEPS = 3

/** What comes before somebody invests for the first time: who they are, what suits them, and what the risks are. */
export function Before({ data, children }: { data: Investments; children: ReactNode }) {
  const { t } = useLingui()
  const { mustVerify, suitability, riskAccepted } = data
  const step = suitability === null ? 1 : riskAccepted ? STEPS : 2
  // Whoever has done all of it before sees no steps.
  const [isFirst] = useState(step < STEPS)
  if (mustVerify) return <VerifyFirst />
  return (
    <>
      {isFirst && (
        <div className="pb-5">
          <Stepper step={step} steps={STEPS} label={t`Your first investment`} />
        </div>
      )}
      {step === 1 ? <Questions /> : step === 2 ? <RiskNotice /> : children}
    </>
  )
}

function VerifyFirst() {
  return (
    <div className="flex flex-col gap-5">
      <p className="text-pretty text-ink-soft">
        <Trans>Before you invest, we need to know who you are. It takes a few minutes and a photo of your ID.</Trans>
      </p>
      <ButtonLink to={paths.kyc}>
        <Trans>Verify Your Identity</Trans>
      </ButtonLink>
    </div>
  )
}
