import { openAlerts } from '#server/notifications/alerts.ts'
import { eventRoutes } from '#server/notifications/live-routes.ts'
import { pushJob } from '#server/notifications/push/deliver.ts'
import { pushRoutes } from '#server/notifications/push/routes.ts'
import { openPushSender } from '#server/notifications/push/sender.ts'
import { exportSubscriptions } from '#server/notifications/push/subscriptions.ts'
import { beginNoticePeriodJob } from '#server/notifications/periods.ts'
import { exportNotices, noticePreferencesOf } from '#server/notifications/reading.ts'
import { purgeNoticesJob } from '#server/notifications/retention.ts'
import { noticeRoutes } from '#server/notifications/routes.ts'
import { notificationsSampleHistory } from '#server/notifications/sample-history.ts'
import type { Core, Deps } from '#server/platform/deps.ts'
import { defineSlice } from '#server/platform/slice.ts'

export const openNotifications = (core: Core) => ({ alerts: openAlerts(core), push: openPushSender(core.config) })

/** The slice of notices for customers and live events for their open browsers. */
export const notifications = defineSlice({
  name: 'notifications',
  routes: (_deps: Deps, options: { heartbeatMs?: number }) =>
    eventRoutes(options).mount(noticeRoutes).mount(pushRoutes),
  jobs: [pushJob, purgeNoticesJob, beginNoticePeriodJob],
  outboxes: [{ name: 'push', jobs: [pushJob] }],
  liveEvents: ['notification'],
  flush: (deps) => deps.alerts.close(),
  exportOf: (deps, { customerId }) => ({
    notifications: exportNotices(deps, customerId),
    notificationPreferences: () => noticePreferencesOf(deps, customerId),
    pushDevices: () => exportSubscriptions(deps, customerId),
  }),
  closeCustomer: async (trx, customerId) => {
    await trx.deleteFrom('bank.push_subscription').where('customer_id', '=', customerId).execute()
  },
  sampleHistory: notificationsSampleHistory,
})
