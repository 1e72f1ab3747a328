import { Plural, Trans, useLingui } from '@lingui/react/macro'
import type { CSSProperties } from 'react'
import { percentOf } from '#contract/money.ts'
import type { Rewards } from '#contract/rewards-api.ts'
import { usePreviousValue } from '#web/lib/previous-value.ts'
import { money } from '#web/i18n/formats.ts'
import { moneyChars } from '#web/ui/money.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { GrownRings } from '#web/ui/grown-rings.tsx'
import { RollingMoney } from '#web/ui/rolling-money.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Shows the customer's points and the distance to the next tier. */
export function PointsCard({ rewards }: { rewards: Rewards | undefined }) {
  const { t } = useLingui()
  return (
    <section
      aria-label={t`Your Points`}
      className="on-brand @container relative isolate overflow-hidden rounded-[1.75rem] bg-linear-to-br from-brand to-brand-deep p-5 text-on-brand shadow-card [--beside:1.75rem]"
    >
      <GrownRings
        percent={rewards ? percentOf(rewards.tier.points, rewards.tier.target) : 0}
        className="absolute -end-24 -top-28 -z-10 size-80 opacity-30"
      />
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h2 className="text-[0.9375rem] font-medium text-on-brand-soft">
          <Trans>Your Points</Trans>
        </h2>
        {rewards && <TierName tier={rewards.tier} />}
      </div>
      {rewards ? <Figures rewards={rewards} /> : <FiguresSkeleton />}
    </section>
  )
}

/** Shows the customer's tier, named after the growth of a tree. */
function TierName({ tier: { points, target } }: Pick<Rewards, 'tier'>) {
  return (
    <span className="rounded-full bg-on-brand px-2.5 py-0.5 text-sm font-semibold text-brand-ink">
      {points >= target ? (
        <Trans comment="The name of a tier of rewards: a tree that has grown">Alder Tree</Trans>
      ) : (
        <Trans comment="The name of a tier of rewards: a young tree">Sapling</Trans>
      )}
    </span>
  )
}

function FiguresSkeleton() {
  return (
    <>
      <span className="flex min-h-15 items-center text-[2.75rem]">
        <Skeleton line className="w-[3.5em] !bg-on-brand/15" />
      </span>
      <Skeleton round className="mt-3 h-2 !bg-on-brand/15" />
      <Skeleton line className="mt-2.5 w-52 text-[0.9375rem] !bg-on-brand/15" />
    </>
  )
}

/** The width of the unit beside the figure, in characters. */
const WORD_CHARS = 3

function Figures({ rewards: { points, owedPoints, tier } }: { rewards: Rewards }) {
  const { t } = useLingui()
  const previousPoints = usePreviousValue('points', points)
  const amount = { amountMinor: points, asset: 'POINTS' } as const
  const figure = <RollingMoney {...amount} before={previousPoints} saidAround />
  return (
    <>
      <p
        className="fit-line"
        style={{ '--chars': moneyChars(amount) + WORD_CHARS, '--fit-max': '2.75rem' } as CSSProperties}
      >
        <span
          aria-live="polite"
          aria-atomic
          className="flex min-h-15 items-baseline gap-[0.18em] pt-[0.25em] font-semibold tracking-[-0.03em]"
        >
          <Trans comment="The number is large and the word is small. Example: 2,450 points">
            {figure} <span className="text-[0.42em] font-medium tracking-normal text-on-brand-soft">points</span>
          </Trans>
        </span>
      </p>
      <div className="mt-3 *:bg-on-brand/20! *:*:bg-on-brand!">
        <Progress label={t`Progress to the next tier`} percent={percentOf(tier.points, tier.target)} />
      </div>
      <p className="mt-2.5 text-[0.9375rem] text-on-brand-soft">
        <Tier tier={tier} />
      </p>
      {owedPoints > 0 && (
        <p className="mt-3 rounded-control bg-on-brand/12 px-3.5 py-2.5 text-sm">
          <Plural
            value={owedPoints}
            one="A payment that earned points was refunded after you spent them. Your next point makes up for it."
            other="A payment that earned points was refunded after you spent them. Your next # points make up for it."
          />
        </p>
      )}
    </>
  )
}

function Tier({ tier: { points, target } }: Pick<Rewards, 'tier'>) {
  const goal = money(target, 'POINTS')
  if (points >= target)
    return <Trans comment="{goal} is a number of points, such as 5,000">You've reached the {goal} tier</Trans>
  const left = target - points
  return <Plural value={left} one="# point to the next tier" other="# points to the next tier" />
}
