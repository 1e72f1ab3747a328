import { t } from '@lingui/core/macro'
import type { Goal, GoalList } from '#contract/savings.ts'
import type { GoalSheet } from '#web/savings/goal-sheet.ts'
import { CloseGoal } from '#web/savings/sheets/close-goal.tsx'
import { GoalDetails } from '#web/savings/sheets/goal-details.tsx'
import { LockGoal } from '#web/savings/sheets/lock-goal.tsx'
import { ManageGoal } from '#web/savings/sheets/manage-goal.tsx'
import { MonthlySaving } from '#web/savings/sheets/monthly-saving.tsx'
import { MoveMoney } from '#web/savings/sheets/move-money.tsx'
import { defineSheets, type SheetPart, type SheetActions } from '#web/ui/define-sheets.tsx'

/** Returns a part of the sheet for one goal. The part is null if the goal was closed elsewhere, which closes the sheet. */
function ofGoal(part: (goal: Goal, ways: SheetActions<GoalSheet>, list: GoalList) => SheetPart) {
  return ({ goalId }: { goalId: string }, list: GoalList, ways: SheetActions<GoalSheet>): SheetPart | null => {
    const goal = list.goals.find(({ id }) => id === goalId)
    return goal ? part(goal, ways, list) : null
  }
}

export const GoalSheets = defineSheets<GoalSheet, GoalList>({
  new: (_, { today, interestRateBps }, { close }) => ({
    title: t`New goal`,
    description: t`What are you saving for?`,
    content: <GoalDetails today={today} rateBps={interestRateBps} onDone={close} />,
  }),
  manage: ofGoal((goal, { show }, { today, interestRateBps }) => ({
    title: goal.name,
    description: t`Options for this goal`,
    content: (
      <ManageGoal
        goal={goal}
        rateBps={interestRateBps}
        today={today}
        onShow={(kind) => show({ kind, goalId: goal.id })}
      />
    ),
  })),
  add: ofGoal((goal, { close }) => {
    const { name: goalName } = goal
    return {
      title: t`Add to ${goalName}`,
      description: t`From your account`,
      content: <MoveMoney goal={goal} direction="in" onDone={close} />,
    }
  }),
  withdraw: ofGoal((goal, { close }) => {
    const { name: goalName } = goal
    return {
      title: t`Withdraw from ${goalName}`,
      description: t`To your account`,
      content: <MoveMoney goal={goal} direction="out" onDone={close} />,
    }
  }),
  edit: ofGoal((goal, { close }, { today }) => ({
    title: t`Edit goal`,
    description: t`Change what you're saving for`,
    content: <GoalDetails goal={goal} today={today} onDone={close} />,
  })),
  monthly: ofGoal((goal, { close }) => ({
    title: t`Save every month`,
    description: t`Move money to this goal automatically`,
    content: <MonthlySaving goal={goal} onDone={close} />,
  })),
  lock: ofGoal((goal, { close }, { today }) => ({
    title: t`Lock goal`,
    description: t`Keep the money where it is until a date you choose`,
    content: <LockGoal goal={goal} today={today} onDone={close} />,
  })),
  close: ofGoal((goal, { close }) => {
    const { name: goalName } = goal
    return {
      title: t`Close ${goalName}?`,
      description: t`The money goes back to your account.`,
      content: <CloseGoal goal={goal} onDone={close} onKeep={close} />,
    }
  }),
})
