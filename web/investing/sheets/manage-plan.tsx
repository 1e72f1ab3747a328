import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { InvestmentPlan, Investments } from '#contract/investing.ts'
import { wholeDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { cancelPlan, pausePlan, resumePlan } from '#web/investing/queries.ts'
import { DetailList } from '#web/investing/shared/details.tsx'
import { EVERY_TEXTS } from '#web/investing/shared/words.ts'
import { fundText } from '#web/markets/shared/fund-text.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { Button } from '#web/ui/button.tsx'

type ManagePlanProps = { data: Investments; planId: string; onDone: () => void }

/** Shows a recurring investment, with buttons to pause and end it. */
export function ManagePlan({ data, planId, onDone }: ManagePlanProps) {
  const plan = data.plans.find(({ id }) => id === planId)
  const [isEnding, setEnding] = useState(false)
  if (!plan) {
    return (
      <p className="text-ink-soft">
        <Trans>This recurring investment has ended.</Trans>
      </p>
    )
  }
  return (
    <div className="flex flex-col gap-5">
      <PlanFacts plan={plan} />
      {isEnding ? (
        <EndPlan plan={plan} onDone={onDone} onKeep={() => setEnding(false)} />
      ) : (
        <div className="flex flex-col gap-2">
          <PauseButton plan={plan} />
          <Button variant="quiet" className="!text-danger" onClick={() => setEnding(true)}>
            <Trans comment="A recurring investment">End</Trans>
          </Button>
        </div>
      )}
    </div>
  )
}

function PlanFacts({ plan: { fund, amountMinor, asset, every, dueOn, status } }: { plan: InvestmentPlan }) {
  const { t } = useLingui()
  return (
    <DetailList
      details={[
        { label: t({ message: 'Fund', comment: 'The fund of an investment' }), value: fundText(fund) },
        { label: t`Amount`, value: money(amountMinor, asset) },
        { label: t({ message: 'How Often', comment: 'The frequency of an investment' }), value: t(EVERY_TEXTS[every]) },
        status === 'paused'
          ? {
              label: t({ message: 'Status', comment: 'The status of a recurring investment' }),
              value: <Trans context="a recurring investment">Paused</Trans>,
            }
          : {
              label: t({ message: 'Next', comment: 'The date of the next recurring investment' }),
              value: wholeDay(dueOn),
            },
      ]}
    />
  )
}

function PauseButton({ plan: { id, status } }: { plan: InvestmentPlan }) {
  const { t } = useLingui()
  const isPaused = status === 'paused'
  const { submit, busy } = useSubmission({
    send: (planId: string) => (isPaused ? resumePlan : pausePlan)(planId),
    loading: () => t`Saving…`,
    success: ({ plan }) => ({
      message:
        plan.status === 'paused' ? t`Your recurring investment is paused` : t`Your recurring investment has resumed`,
    }),
  })
  return (
    <Button variant="secondary" busy={busy} onClick={() => void submit(id)}>
      {isPaused ? (
        <Trans comment="Resumes a recurring investment">Resume</Trans>
      ) : (
        <Trans comment="A recurring investment">Pause</Trans>
      )}
    </Button>
  )
}

type EndPlanProps = { plan: InvestmentPlan; onDone: () => void; onKeep: () => void }

/** Asks for a confirmation before a recurring investment ends. */
function EndPlan({ plan: { id }, onDone, onKeep }: EndPlanProps) {
  const { t } = useLingui()
  const { submit, busy } = useSubmission({
    send: (planId: string) => cancelPlan(planId),
    loading: () => t`Saving…`,
    success: () => ({ message: t`Your recurring investment has ended` }),
  })
  return (
    <div className="flex flex-col gap-2">
      <p className="pb-1 text-pretty text-ink-soft">
        <Trans>You keep what you've invested. We won't add anything more.</Trans>
      </p>
      <Button variant="danger" busy={busy} onClick={() => void submit(id).then((ended) => ended === null || onDone())}>
        <Trans>End Recurring Investment</Trans>
      </Button>
      <Button variant="secondary" disabled={busy} onClick={onKeep}>
        <Trans>Keep It</Trans>
      </Button>
    </div>
  )
}
