import { alertNotices } from '#server/notifications/notices.ts'
import { openAlerts } from '#server/notifications/alerts.ts'
import { eventRoutes } from '#server/notifications/live-routes.ts'
import { exportedNotices } from '#server/notifications/service.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Notices for customers, and live events for their open browsers. */
export const notifications = defineSlice({
  name: 'notifications',
  routes: (_deps: Deps, options: { heartbeatMs?: number }) => eventRoutes(options),
  notices: alertNotices,
  liveEvents: ['notification'],
  state: (deps) => ({ alerts: openAlerts(deps) }),
  flush: (deps) => deps.alerts.flush(),
  exportOf: (deps, { customerId }) => ({
    notifications: exportedNotices(deps, customerId),
  }),
})
