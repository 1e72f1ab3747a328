import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { paths } from '#web/lib/paths.ts'
import { Catalogue } from '#web/rewards/catalogue.tsx'
import { Codes } from '#web/rewards/codes.tsx'
import { HowToEarn } from '#web/rewards/how-to-earn.tsx'
import { Invite } from '#web/rewards/invite.tsx'
import { PointsCard } from '#web/rewards/points-card.tsx'
import { PointsHistory } from '#web/rewards/points-history.tsx'
import { PremiumCard } from '#web/rewards/premium-card.tsx'
import { rewardsQuery } from '#web/rewards/queries.ts'
import { Columns } from '#web/ui/columns.tsx'
import { QueryScreen } from '#web/ui/query-screen.tsx'

/** Shows the customer's points, the rewards that they can buy and the ways to earn more. */
export function RewardsScreen() {
  const { t } = useLingui()
  const query = useQuery(rewardsQuery)
  const { data } = query
  return (
    <QueryScreen query={query} title={t`Rewards`} back={paths.dashboard} loading={t`Loading your rewards`}>
      <Columns>
        <>
          <PointsCard rewards={data} />
          <Catalogue rewards={data} />
          <Codes />
        </>
        <>
          <PremiumCard premium={data?.premium} />
          <HowToEarn rewards={data} />
          <Invite referral={data?.referral} />
          <PointsHistory />
        </>
      </Columns>
    </QueryScreen>
  )
}
