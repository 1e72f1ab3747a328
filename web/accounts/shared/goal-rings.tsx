import type { GoalIcon } from '#contract/goals.ts'
import { GOAL_LOOKS } from '#web/accounts/shared/goal-looks.ts'
import { GrownRings } from '#web/ui/grown-rings.tsx'

/**
 * Shows a savings goal and its progress, from 0 to 100. Without `percent`, when amounts are hidden, the rings show no progress.
 */
export function GoalRings({ icon, percent = 0 }: { icon: GoalIcon; percent?: number | undefined }) {
  const Icon = GOAL_LOOKS[icon]
  return (
    <span aria-hidden className="relative grid size-14 shrink-0 place-items-center text-primary @max-[12rem]:hidden">
      <GrownRings few percent={percent} className="absolute inset-0" />
      <Icon className="size-5" strokeWidth={1.9} />
    </span>
  )
}
