import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '#web/lib/api.ts'
import { paths } from '#web/lib/paths.ts'
import { Catalogue } from '#web/rewards/catalogue.tsx'
import { Codes } from '#web/rewards/codes.tsx'
import { HowToEarn } from '#web/rewards/how-to-earn.tsx'
import { Invite } from '#web/rewards/invite.tsx'
import { PointsCard } from '#web/rewards/points-card.tsx'
import { PointsHistory } from '#web/rewards/points-history.tsx'
import { PremiumCard } from '#web/rewards/premium-card.tsx'
import { rewardsQuery } from '#web/rewards/queries.ts'
import { Failure } from '#web/ui/failure.tsx'
import { Screen } from '#web/ui/screen.tsx'
import { Loading } from '#web/ui/skeleton.tsx'

/** The customer's points: how many, what they buy, how to earn more. */
export function RewardsScreen() {
  const { t } = useLingui()
  const { data, error, refetch } = useQuery(rewardsQuery)
  return (
    <Screen title={t`Rewards`} back={paths.dashboard}>
      {error && !data ? (
        <Failure message={messageOf(error)} onRetry={() => void refetch()} />
      ) : (
        <>
          {!data && <Loading label={t`Loading your rewards`} />}
          <PointsCard rewards={data} />
          <Catalogue rewards={data} />
          <Codes />
          <PremiumCard premium={data?.premium} />
          <HowToEarn rewards={data} />
          <Invite referral={data?.referral} />
          <PointsHistory />
        </>
      )}
    </Screen>
  )
}
