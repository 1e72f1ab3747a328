import { overdueOrdersOf } from '#server/standing-orders/running.ts'
import { savingsSampleHistory } from '#server/savings/sample-history.ts'
import { defineSlice } from '#server/platform/slice.ts'
import { endGoals } from '#server/savings/close.ts'
import { interestJob, overdueInterest } from '#server/savings/interest-payments.ts'
import { exportGoals } from '#server/savings/list.ts'
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
  waitingMoney: [overdueOrdersOf(monthlyMoves), overdueInterest],
  exportOf: (deps, { customerId }) => ({
    goals: () => exportGoals(deps, customerId),
  }),
  closeCustomer: endGoals,
  spareMoney: unlockedGoals,
  sampleHistory: savingsSampleHistory,
})
