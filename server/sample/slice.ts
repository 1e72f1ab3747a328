import { sampleStory } from '#server/sample/story.ts'
import { sampleNotices } from '#server/sample/notices.ts'
import type { IdentityOptions } from '#server/identity/routes/routes.ts'
import type { Deps } from '#server/platform/deps.ts'
import { router } from '#server/identity/access/route.ts'
import { defineSlice } from '#server/platform/slice.ts'
import { elsewhere } from '#server/sample/elsewhere-routes.ts'
import { mailboxRoutes } from '#server/sample/mailbox-routes.ts'
import { sampleRoutes } from '#server/sample/routes.ts'

/** The world around a sample bank: its date, a shop, an employer, a mailbox. */
export const sample = defineSlice({
  name: 'sample',
  routes: (deps: Deps, options: IdentityOptions) =>
    router().route('/', sampleRoutes(deps, options)).route('/', elsewhere(deps)).route('/', mailboxRoutes),
  notices: sampleNotices,
  story: sampleStory,
})
