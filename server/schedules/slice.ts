import { defineSlice } from '#server/platform/slice.ts'
import { scheduleRoutes } from '#server/schedules/routes.ts'
import { scheduledPayments } from '#server/schedules/schedule.ts'
import { exportedSchedules } from '#server/schedules/service.ts'
import { overdueOf } from '#server/standing-orders/running.ts'

/** Payments that are made later, once or again and again. */
export const schedules = defineSlice({
  name: 'schedules',
  routes: () => scheduleRoutes,
  standingOrders: scheduledPayments,
  waitingMoney: [overdueOf(scheduledPayments)],
  exportOf: (deps, { customerId }) => ({ scheduledPayments: exportedSchedules(deps, customerId) }),
})
