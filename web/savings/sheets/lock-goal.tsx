import { Trans, useLingui } from '@lingui/react/macro'
import type { Goal } from '#contract/savings.ts'
import { dateAndTime, wholeDay } from '#web/i18n/dates.ts'
import { type FormCheck, formErrors, useForm } from '#web/lib/form.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { lockGoal, unlockGoal } from '#web/savings/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { useSheetEdits } from '#web/ui/sheet-edits.ts'
import { Field } from '#web/ui/field.tsx'

type LockGoalProps = { goal: Goal; today: string; onDone: () => void }
type Form = { lockedUntil: string }

/** Locks a goal, extends the lock, or unlocks the goal early. */
export function LockGoal({ goal, today, onDone }: LockGoalProps) {
  const { t } = useLingui()
  const check: FormCheck<Form> = ({ lockedUntil }) =>
    formErrors(
      lockedUntil <= today && { field: 'lockedUntil', code: 'date_not_ahead' },
      goal.lockedUntil !== null &&
        lockedUntil !== '' &&
        lockedUntil < goal.lockedUntil && { field: 'lockedUntil', code: 'lock_shortened' },
    )
  const form = useForm({
    initial: { lockedUntil: goal.lockedUntil ?? '' },
    check,
    read: ({ lockedUntil }: Form) => lockedUntil,
    send: (lockedUntil: string) => lockGoal(goal.id, lockedUntil),
    loading: () => t`Saving…`,
    success: (_response, lockedUntil) => {
      const day = wholeDay(lockedUntil)
      return { message: t`Locked until ${day}` }
    },
    onDone,
  })
  useSheetEdits(goal.lockedUntil !== null && form.isEdited && !form.busy)
  return (
    <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-5">
      <p className="text-pretty text-ink-soft">
        <Trans>
          You can still add money. To withdraw before that day, you have to unlock the goal, which takes a day.
        </Trans>
      </p>
      <Field {...form.field('lockedUntil')} label={t`Locked Until`} type="date" min={goal.lockedUntil ?? today} />
      <div className="flex flex-col gap-2">
        <Button type="submit" busy={form.busy} done={form.done}>
          {goal.unlocksAt === null ? <Trans>Lock Goal</Trans> : <Trans>Keep It Locked</Trans>}
        </Button>
        {goal.lockedUntil !== null && <Unlock goal={goal} onDone={onDone} />}
      </div>
    </form>
  )
}

function Unlock({ goal, onDone }: Pick<LockGoalProps, 'goal' | 'onDone'>) {
  const { t } = useLingui()
  const { name: goalName, unlocksAt } = goal
  const { submit, busy } = useSubmission({
    send: (id: string) => unlockGoal(id),
    loading: () => t`Saving…`,
    success: () => ({ message: t`You can withdraw from ${goalName} in 24 hours` }),
  })
  if (unlocksAt !== null) {
    const moment = dateAndTime(unlocksAt)
    return (
      <p className="text-center text-sm text-ink-soft">
        <Trans comment="{moment} is a date with a time">Unlocks on {moment}</Trans>
      </p>
    )
  }
  return (
    <Button
      variant="secondary"
      busy={busy}
      onClick={() => void submit(goal.id).then((unlocked) => unlocked === null || onDone())}
    >
      <Trans>Unlock in 24 Hours</Trans>
    </Button>
  )
}
