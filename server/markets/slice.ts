import { embeddedFeed } from '#server/markets/feed/embedded.ts'
import { marketRoutes } from '#server/markets/routes.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** What the funds and coins cost that customers buy. */
export const markets = defineSlice({
  name: 'markets',
  routes: () => marketRoutes,
  state: (deps) => ({ prices: embeddedFeed(deps) }),
})
