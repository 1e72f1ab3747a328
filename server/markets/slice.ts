import { embeddedFeed } from '#server/markets/embedded.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** What the funds and coins cost that customers buy. */
export const markets = defineSlice({
  name: 'markets',
  state: (deps) => ({ prices: embeddedFeed(deps) }),
})
