import { Trans, useLingui } from '@lingui/react/macro'
import type { Goal } from '#contract/savings.ts'
import { money } from '#web/i18n/formats.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { closeGoal } from '#web/savings/queries.ts'
import { Button } from '#web/ui/button.tsx'

type CloseGoalProps = { goal: Goal; onDone: () => void; onKeep: () => void }

/** Asks for a confirmation before a goal is closed. */
export function CloseGoal({ goal, onDone, onKeep }: CloseGoalProps) {
  const { t } = useLingui()
  const { id, name: goalName, asset, savedMinor, interest } = goal
  const { submit, busy } = useSubmission({
    send: (goalId: string, key) => closeGoal(goalId, key),
    loading: () => t`Closing ${goalName}…`,
    success: ({ returnedMinor }) => {
      const amount = money(returnedMinor, asset)
      const message = t`${goalName} is closed`
      return returnedMinor > 0 ? { message, description: t`${amount} is back in your account` } : { message }
    },
    outcome: () => ({ sent: t`${goalName} was closed`, notSent: t`Canceled. ${goalName} is still open` }),
  })
  const saved = money(savedMinor, asset)
  const accrued = money(interest.accruedMinor, asset)
  return (
    <div className="flex flex-col gap-5">
      <p className="text-pretty text-ink-soft">
        {savedMinor > 0 && interest.accruedMinor === 0 ? (
          <Trans comment="{saved} is the balance of a savings goal">We'll move {saved} back to your account.</Trans>
        ) : savedMinor + interest.accruedMinor > 0 ? (
          <Trans comment="{saved} is the balance of the goal, {accrued} the earned interest that has not been paid yet">
            We'll move {saved} back to your account, plus the {accrued} in interest it has earned since the last
            payment.
          </Trans>
        ) : (
          <Trans>There is no money in this goal.</Trans>
        )}
      </p>
      <div className="flex flex-col gap-2">
        <Button
          variant="danger"
          busy={busy}
          onClick={() => void submit(id).then((closed) => closed === null || onDone())}
        >
          <Trans>Close Goal</Trans>
        </Button>
        <Button variant="secondary" disabled={busy} onClick={onKeep}>
          <Trans context="a savings goal">Keep It</Trans>
        </Button>
      </div>
    </div>
  )
}
