import { eventRoutes } from '#server/notifications/live-routes.ts'
import { exportedNotices } from '#server/notifications/service.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** What customers are told, and what their open browsers hear of as it changes. */
export const notifications = defineSlice({
  name: 'notifications',
  routes: (_deps: Deps, options: { heartbeatMs?: number }) => eventRoutes(options),
  exportOf: (deps, { customerId }) => ({
    notifications: exportedNotices(deps, customerId),
  }),
})
