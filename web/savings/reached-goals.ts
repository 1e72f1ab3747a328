import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent } from 'react'
import type { Goal } from '#contract/savings.ts'
import { money } from '#web/i18n/formats.ts'
import { takeNewMilestones } from '#web/lib/milestones.ts'
import { celebrate } from '#web/ui/celebration/celebrate.ts'

/** Celebrates a reached goal once. If several goals are reached at the same time, only the first is celebrated. */
export function useReachedGoals(goals: readonly Goal[] | undefined): void {
  const { t } = useLingui()
  const checkGoals = useEffectEvent((now: readonly Goal[]) => {
    const [goal] = takeNewMilestones(
      now.map((current) => ({ ...current, isReached: current.savedMinor >= current.targetMinor })),
    )
    if (!goal) return
    const amount = money(goal.savedMinor, goal.asset)
    const { name } = goal
    const text = t({ message: `${amount} saved for ${name}.`, comment: '{name} is a savings goal' })
    void celebrate({ title: t`You reached your goal!`, text }).catch(() => undefined)
  })
  useEffect(() => {
    if (goals) checkGoals(goals)
  }, [goals])
}
