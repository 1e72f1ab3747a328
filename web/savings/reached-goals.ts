import { useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent } from 'react'
import type { Goal } from '#contract/savings.ts'
import { money } from '#web/i18n/formats.ts'
import { reachedSince } from '#web/lib/milestones.ts'
import { celebrate } from '#web/ui/celebration/celebrate.ts'

/** Celebrates a goal that has been reached, once. */
export function useReachedGoals(goals: readonly Goal[] | undefined): void {
  const { t } = useLingui()
  const look = useEffectEvent((now: readonly Goal[]) => {
    const [goal] = reachedSince(now.map((one) => ({ ...one, isReached: one.savedMinor >= one.targetMinor })))
    if (!goal) return
    const amount = money(goal.savedMinor, goal.asset)
    const { name } = goal
    const text = t({ message: `${amount} saved for ${name}.`, comment: 'A savings goal by its name' })
    void celebrate({ title: t`You reached your goal!`, text }).catch(() => undefined)
  })
  useEffect(() => {
    if (goals) look(goals)
  }, [goals])
}
