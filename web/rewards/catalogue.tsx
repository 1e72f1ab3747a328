import { Trans, useLingui } from '@lingui/react/macro'
import { Lock } from 'lucide-react'
import { useState } from 'react'
import type { Rewards } from '#contract/rewards-api.ts'
import { money } from '#web/i18n/formats.ts'
import { useSubmission } from '#web/lib/submission.ts'
import { redeemReward } from '#web/rewards/queries.ts'
import { REWARD_ICONS, rewardAbout, rewardGiven, rewardTitle } from '#web/rewards/reward-words.ts'
import { Button } from '#web/ui/button.tsx'
import { Confirm } from '#web/ui/confirm.tsx'
import { InlineFacts } from '#web/ui/inline-facts.tsx'
import { PointsRow } from '#web/rewards/points-row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

type Offer = Rewards['catalogue'][number]

/** Returns a function for a number of points as short text: '1,000 pts'. */
function usePoints(): (points: number) => string {
  const { t } = useLingui()
  return (points) => {
    const figure = money(points, 'POINTS')
    return t({ message: `${figure} pts`, comment: '{figure} is a number of points. The word is abbreviated' })
  }
}

function useRedeeming() {
  const { t } = useLingui()
  const pointsText = usePoints()
  return useSubmission({
    send: ({ reward }: Offer, key) => redeemReward({ reward }, key),
    loading: ({ points }) => {
      const figure = pointsText(points)
      return t`Redeeming ${figure}…`
    },
    success: ({ reward }) => ({ message: rewardGiven(reward) }),
    outcome: () => ({
      sent: t`Your points were redeemed`,
      notSent: t`Canceled. You still have your points`,
    }),
  })
}

/** Lists the rewards that points can buy. */
export function Catalogue({ rewards }: { rewards: Rewards | undefined }) {
  const { t } = useLingui()
  const { submit, busy } = useRedeeming()
  const [chosenOffer, setChosen] = useState<Offer | null>(null)
  const [isAsking, setAsking] = useState(false)
  return (
    <Section title={t`Redeem Points`}>
      <Card>
        {rewards ? (
          <ul className="divide-y divide-line">
            {rewards.catalogue.map((offer) => (
              <li key={offer.reward}>
                <OfferRow
                  offer={offer}
                  points={rewards.points}
                  busy={busy && chosenOffer?.reward === offer.reward}
                  onRedeem={() => {
                    setChosen(offer)
                    setAsking(true)
                  }}
                />
              </li>
            ))}
          </ul>
        ) : (
          <RowSkeletons count={4} />
        )}
      </Card>
      <AskFirst
        offer={chosenOffer}
        open={isAsking}
        onOpenChange={setAsking}
        onYes={(offer) => {
          setAsking(false)
          void submit(offer)
        }}
      />
    </Section>
  )
}

type OfferRowProps = { offer: Offer; points: number; busy: boolean; onRedeem: () => void }

function OfferRow({ offer, points, busy, onRedeem }: OfferRowProps) {
  const { t } = useLingui()
  const pointsText = usePoints()
  const title = rewardTitle(offer.reward)
  const cost = pointsText(offer.points)
  const missing = money(offer.points - points, 'POINTS')
  const missingText = t({
    message: `${missing} to go`,
    comment: '{missing} is the number of points missing for a reward',
  })
  const notHere = t({ message: 'Not available yet', context: 'reward' })
  const facts = [
    ...(offer.reward === 'premium_month' ? [{ key: 'length', fact: <Trans>1 month</Trans> }] : []),
    { key: 'cost', fact: <span className="tabular">{cost}</span> },
    ...(offer.available
      ? []
      : [{ key: 'missing', fact: <span className="tabular">{offer.offered ? missingText : notHere}</span> }]),
  ]
  return (
    <PointsRow
      icon={REWARD_ICONS[offer.reward]}
      tint={offer.available ? 'primary' : 'plain'}
      title={title}
      description={<InlineFacts facts={facts} />}
      trailing={
        offer.available ? (
          <Button variant="secondary" size="small" busy={busy} aria-label={t`Redeem ${title}`} onClick={onRedeem}>
            <Trans context="points for a reward">Redeem</Trans>
          </Button>
        ) : (
          <Lock aria-hidden className="size-5 shrink-0 text-ink-soft" strokeWidth={1.9} />
        )
      }
    />
  )
}

type AskFirstProps = {
  offer: Offer | null
  open: boolean
  onOpenChange: (open: boolean) => void
  onYes: (offer: Offer) => void
}

function AskFirst({ offer, open, onOpenChange, onYes }: AskFirstProps) {
  const { t } = useLingui()
  const pointsText = usePoints()
  const title = offer ? rewardTitle(offer.reward) : ''
  const cost = pointsText(offer?.points ?? 0)
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title={t`Redeem ${title}?`}
      description={t`This uses ${cost}.`}
      yes={t({ message: `Redeem ${cost}`, comment: 'A button. {cost} is the number of points that the reward costs' })}
      no={t`Keep My Points`}
      onYes={() => offer && onYes(offer)}
    >
      {offer && <p>{rewardAbout(offer.reward)}</p>}
    </Confirm>
  )
}
