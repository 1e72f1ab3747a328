import { openDayUse } from '#server/limits/day-use.ts'
import { defineSlice } from '#server/platform/slice.ts'

/** How much a customer may move at once, in a day and hold. */
export const limits = defineSlice({
  name: 'limits',
  state: (deps) => ({ dayUse: openDayUse(deps) }),
})
