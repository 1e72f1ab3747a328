import { defineSlice } from '#server/platform/slice.ts'
import { earnPointsJob } from '#server/rewards/earning.ts'
import { takePointsBackJob } from '#server/rewards/refunds.ts'
import { openSentPoints } from '#server/rewards/sends.ts'
import { sweepSendsJob } from '#server/rewards/sweep.ts'

/** Points, what they buy, and Premium. */
export const rewards = defineSlice({
  name: 'rewards',
  jobs: [earnPointsJob, takePointsBackJob, sweepSendsJob],
  state: (deps) => ({ sentPoints: openSentPoints(deps) }),
  flush: (deps) => deps.sentPoints.flush(),
})
