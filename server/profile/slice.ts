import { defineSlice } from '#server/platform/slice.ts'
import { profileRoutes } from '#server/profile/routes.ts'
import { readProfile } from '#server/profile/service.ts'

/** The slice of a customer's details, data export and account closure. */
export const profile = defineSlice({
  name: 'profile',
  routes: () => profileRoutes,
  securityEvents: ['details_changed', 'data_downloaded', 'account_closed'],
  exportOf: (deps, { customerId }) => ({ profile: () => readProfile(deps, customerId) }),
})
