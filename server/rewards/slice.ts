import { everyPage, PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSlice } from '#server/platform/slice.ts'
import { earnPointsJob } from '#server/rewards/earning.ts'
import { dropPremium, premiumOf } from '#server/rewards/premium.ts'
import { type RedemptionPlace, redemptionsOf } from '#server/rewards/redemption.ts'
import { recordReferral } from '#server/rewards/referrals.ts'
import { takePointsBackJob } from '#server/rewards/refunds.ts'
import { renewPremiumJob } from '#server/rewards/renewal.ts'
import { rewardRoutes } from '#server/rewards/routes.ts'
import { openPaymentPoints, type PaymentPointsDeps } from '#server/rewards/payment-points.ts'
import { readRewards } from '#server/rewards/service.ts'
import { sweepSendsJob } from '#server/rewards/sweep.ts'

export const openRewards = (deps: PaymentPointsDeps) => ({ paymentPoints: openPaymentPoints(deps) })

/** Points, the rewards that customers buy with points, and Premium. */
export const rewards = defineSlice({
  name: 'rewards',
  routes: () => rewardRoutes,
  jobs: [earnPointsJob, takePointsBackJob, sweepSendsJob, renewPremiumJob],
  flush: (deps) => deps.paymentPoints.close(),
  exportOf: (deps, { customerId }) => ({
    rewards: async () => {
      const { points, owedPoints, referral } = await readRewards(deps, customerId)
      return { points, owedPoints, referral }
    },
    premium: () => premiumOf(deps, customerId),
    redemptions: everyPage(
      (before: RedemptionPlace | null) => redemptionsOf(deps, customerId, { before, limit: PAGE_SIZE }),
      (redemption) => redemption,
    ),
  }),
  signedUp: recordReferral,
  closeCustomer: dropPremium,
})
