import { Car, Gift, House, Leaf, type LucideIcon, Plane, Umbrella } from 'lucide-react'
import type { GoalIcon } from '#contract/goals.ts'

/** The icon of each kind of savings goal. */
export const GOAL_LOOKS: Record<GoalIcon, LucideIcon> = {
  plane: Plane,
  umbrella: Umbrella,
  car: Car,
  home: House,
  gift: Gift,
  leaf: Leaf,
}
