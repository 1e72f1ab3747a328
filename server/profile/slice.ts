import { defineSlice } from '#server/platform/slice.ts'
import { profileRoutes } from '#server/profile/routes.ts'
import { readProfile } from '#server/profile/service.ts'

/** What a customer told the bank about themselves, their data to download, and closing the account. */
export const profile = defineSlice({
  name: 'profile',
  routes: () => profileRoutes,
  securityEvents: ['details_changed', 'data_downloaded', 'account_closed'],
  exportOf: (deps, { customerId }) => ({ profile: () => readProfile(deps, customerId) }),
})
