import { overdueOf } from '#server/standing-orders/running.ts'
import { savingsStory } from '#server/savings/story.ts'
import { defineSlice } from '#server/platform/slice.ts'
import { endGoals } from '#server/savings/close.ts'
import { interestJob, overdueInterest } from '#server/savings/interest-payments.ts'
import { exportedGoals } from '#server/savings/list.ts'
import { monthlyMoves } from '#server/savings/monthly.ts'
import { roundUpJob } from '#server/savings/round-ups.ts'
import { unlockedGoals } from '#server/savings/service.ts'
import { savingsRoutes } from '#server/savings/routes.ts'

/** Savings goals. */
export const savings = defineSlice({
  name: 'savings',
  routes: () => savingsRoutes,
  standingOrders: monthlyMoves,
  jobs: [roundUpJob, interestJob],
  waitingMoney: [overdueOf(monthlyMoves), overdueInterest],
  exportOf: (deps, { customerId }) => ({
    goals: () => exportedGoals(deps, customerId),
  }),
  closeCustomer: endGoals,
  spareMoney: unlockedGoals,
  story: savingsStory,
})
