import { defineSlice } from '#server/platform/slice.ts'
import { scheduleRoutes } from '#server/schedules/routes.ts'
import { scheduledPayments } from '#server/schedules/schedule.ts'
import { exportSchedules } from '#server/schedules/service.ts'
import { overdueOrdersOf } from '#server/standing-orders/running.ts'

/** One-time and repeated payments on future dates. */
export const schedules = defineSlice({
  name: 'schedules',
  routes: () => scheduleRoutes,
  standingOrders: scheduledPayments,
  waitingMoney: [overdueOrdersOf(scheduledPayments)],
  exportOf: (deps, { customerId }) => ({ scheduledPayments: exportSchedules(deps, customerId) }),
})
