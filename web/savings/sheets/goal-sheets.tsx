import { useLingui } from '@lingui/react/macro'
import type { Goal, GoalList } from '#contract/savings.ts'
import { CloseGoal } from '#web/savings/sheets/close-goal.tsx'
import { GoalDetails } from '#web/savings/sheets/goal-details.tsx'
import { LockGoal } from '#web/savings/sheets/lock-goal.tsx'
import { ManageGoal } from '#web/savings/sheets/manage-goal.tsx'
import { MonthlySaving } from '#web/savings/sheets/monthly-saving.tsx'
import { MoveMoney } from '#web/savings/sheets/move-money.tsx'
import { Sheet, showFromTop } from '#web/ui/sheet.tsx'

/** What is done with a goal in a sheet. */
export type GoalSheetKind = 'manage' | 'add' | 'withdraw' | 'edit' | 'monthly' | 'lock' | 'close'
export type GoalSheet = { kind: 'new' } | { kind: GoalSheetKind; goalId: string }

type GoalSheetsProps = {
  list: GoalList
  sheet: GoalSheet
  open: boolean
  onShow: (sheet: GoalSheet) => void
  onClose: () => void
}

/** One sheet for all that is done with goals: what it shows changes while it stays open. */
export function GoalSheets({ list, sheet, open, onShow, onClose }: GoalSheetsProps) {
  const { t } = useLingui()
  const goal = sheet.kind === 'new' ? undefined : list.goals.find(({ id }) => id === sheet.goalId)
  const { title, description } = useTitle(sheet.kind, goal)
  return (
    <Sheet
      // A goal that was closed elsewhere takes its sheet along.
      open={open && (sheet.kind === 'new' || goal !== undefined)}
      onOpenChange={(next) => next || onClose()}
      title={title}
      description={description}
    >
      {sheet.kind === 'new' && <GoalDetails today={list.today} rateBps={list.interestRateBps} onDone={onClose} />}
      {sheet.kind !== 'new' && goal && (
        <div key={sheet.kind} ref={showFromTop}>
          <OneGoal
            kind={sheet.kind}
            list={list}
            goal={goal}
            onShow={(kind) => onShow({ kind, goalId: goal.id })}
            onClose={onClose}
          />
        </div>
      )}
      {sheet.kind !== 'new' && !goal && <p className="text-ink-soft">{t`This goal is closed.`}</p>}
    </Sheet>
  )
}

type OneGoalProps = {
  kind: GoalSheetKind
  list: GoalList
  goal: Goal
  onShow: (kind: GoalSheetKind) => void
  onClose: () => void
}

function OneGoal({ kind, list: { today, interestRateBps }, goal, onShow, onClose }: OneGoalProps) {
  switch (kind) {
    case 'manage':
      return <ManageGoal goal={goal} rateBps={interestRateBps} today={new Date(today)} onShow={onShow} />
    case 'add':
      return <MoveMoney goal={goal} direction="in" onDone={onClose} />
    case 'withdraw':
      return <MoveMoney goal={goal} direction="out" onDone={onClose} />
    case 'edit':
      return <GoalDetails goal={goal} today={today} onDone={onClose} />
    case 'monthly':
      return <MonthlySaving goal={goal} onDone={onClose} />
    case 'lock':
      return <LockGoal goal={goal} today={today} onDone={onClose} />
    case 'close':
      return <CloseGoal goal={goal} onDone={onClose} onKeep={onClose} />
  }
}

function useTitle(kind: GoalSheet['kind'], goal: Goal | undefined): { title: string; description: string } {
  const { t } = useLingui()
  const goalName = goal?.name ?? ''
  switch (kind) {
    case 'new':
      return { title: t`New Goal`, description: t`What are you saving for?` }
    case 'manage':
      return { title: goalName, description: t`What you can do with this goal` }
    case 'add':
      return { title: t`Add to ${goalName}`, description: t`From your account` }
    case 'withdraw':
      return { title: t`Withdraw from ${goalName}`, description: t`To your account` }
    case 'edit':
      return { title: t`Edit Goal`, description: t`Change what you are saving for` }
    case 'monthly':
      return { title: t`Save Every Month`, description: t`Move money to this goal automatically` }
    case 'lock':
      return { title: t`Lock Goal`, description: t`Keep the money where it is until a day you choose` }
    case 'close':
      return { title: t`Close ${goalName}?`, description: t`The money goes back to your account` }
  }
}
