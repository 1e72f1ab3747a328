import { sampleStory } from '#server/sample/story.ts'
import type { IdentityOptions } from '#server/identity/routes/routes.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineSlice } from '#server/platform/slice.ts'
import { elsewhere } from '#server/sample/elsewhere-routes.ts'
import { mailboxRoutes } from '#server/sample/mailbox-routes.ts'
import { sampleRoutes } from '#server/sample/routes.ts'

/** The world around a sample bank: its date, a shop, an employer, a mailbox. */
export const sample = defineSlice({
  name: 'sample',
  routes: (deps: Deps, options: IdentityOptions) =>
    sampleRoutes(deps, options).mount(elsewhere(deps)).mount(mailboxRoutes),
  story: sampleStory,
})
