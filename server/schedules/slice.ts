import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSlice } from '#server/platform/slice.ts'
import { scheduleNotices } from '#server/schedules/notices.ts'
import { scheduleRoutes } from '#server/schedules/routes.ts'
import { overduePayments, runJob } from '#server/schedules/runs.ts'
import { endSchedules, exportedSchedules } from '#server/schedules/service.ts'
import { upcomingSchedules } from '#server/schedules/upcoming.ts'

/** Payments that are made later, once or again and again. */
export const schedules = defineSlice({
  name: 'schedules',
  routes: () => scheduleRoutes,
  jobs: [runJob, overduePayments.job],
  notices: scheduleNotices,
  waitingMoney: [overduePayments.waiting],
  upcoming: upcomingSchedules,
  exportOf: (deps, { customerId }) => ({
    scheduledPayments: everyPage(
      (after: string | null) => exportedSchedules(deps, customerId, { after, limit: PAGE_SIZE }),
      ({ id }) => id,
    ),
  }),
  closeCustomer: endSchedules,
})
