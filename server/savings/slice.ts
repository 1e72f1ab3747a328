import { savingsStory } from '#server/savings/story.ts'
import { defineSlice } from '#server/platform/slice.ts'
import { savingsNotices } from '#server/savings/notices.ts'
import { roundUpJob } from '#server/savings/round-ups.ts'
import { goalsOf } from '#server/savings/service.ts'

/** Savings goals. */
export const savings = defineSlice({
  name: 'savings',
  jobs: [roundUpJob],
  notices: savingsNotices,
  exportOf: (deps, { customerId }) => ({
    goals: async () =>
      (await goalsOf(deps, customerId)).map(({ name, icon, asset, targetMinor, savedMinor }) => ({
        name,
        icon,
        asset,
        targetMinor,
        savedMinor,
      })),
  }),
  story: savingsStory,
})
