import { sampleNoticeHistory } from '#server/sample/sample-customer.ts'
import type { IdentityOptions } from '#server/identity/routes/routes.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineSlice } from '#server/platform/slice.ts'
import { elsewhere } from '#server/sample/other-banks-routes.ts'
import { mailboxRoutes } from '#server/sample/mailbox-routes.ts'
import { sampleRoutes } from '#server/sample/routes.ts'

/** The simulated world around a sample bank: its date, shops, friends, an employer, billers, other banks and a mailbox. */
export const sample = defineSlice({
  name: 'sample',
  routes: (deps: Deps, options: IdentityOptions) =>
    sampleRoutes(deps, options).mount(elsewhere(deps)).mount(mailboxRoutes),
  sampleHistory: sampleNoticeHistory,
})
