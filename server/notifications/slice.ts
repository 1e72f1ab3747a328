import { alertNotices, investingNotices } from '#server/notifications/notices.ts'
import { openAlerts } from '#server/notifications/alerts.ts'
import { eventRoutes } from '#server/notifications/live-routes.ts'
import { pushJob } from '#server/notifications/push/deliver.ts'
import { pushRoutes } from '#server/notifications/push/routes.ts'
import { openPushSender } from '#server/notifications/push/sender.ts'
import { exportedSubscriptions } from '#server/notifications/push/subscriptions.ts'
import { exportedNotices, noticePreferencesOf } from '#server/notifications/reading.ts'
import { purgeNoticesJob } from '#server/notifications/retention.ts'
import { noticeRoutes } from '#server/notifications/routes.ts'
import { notificationsStory } from '#server/notifications/story.ts'
import { router } from '#server/identity/access/route.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** Notices for customers, and live events for their open browsers. */
export const notifications = defineSlice({
  name: 'notifications',
  routes: (deps: Deps, options: { heartbeatMs?: number }) =>
    router().route('/', eventRoutes(options)).route('/', noticeRoutes).route('/', pushRoutes(deps)),
  notices: { ...alertNotices, ...investingNotices },
  jobs: [pushJob, purgeNoticesJob],
  liveEvents: ['notification'],
  state: (deps) => ({ alerts: openAlerts(deps), push: openPushSender(deps.config) }),
  flush: (deps) => deps.alerts.flush(),
  exportOf: (deps, { customerId }) => ({
    notifications: exportedNotices(deps, customerId),
    notificationPreferences: () => noticePreferencesOf(deps, customerId),
    pushDevices: () => exportedSubscriptions(deps, customerId),
  }),
  closeCustomer: async (trx, customerId) => {
    await trx.deleteFrom('bank.push_subscription').where('customer_id', '=', customerId).execute()
  },
  story: notificationsStory,
})
