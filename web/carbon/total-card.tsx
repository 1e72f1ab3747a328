import { Trans, useLingui } from '@lingui/react/macro'
import type { CSSProperties } from 'react'
import type { CarbonFootprint } from '#contract/carbon.ts'
import { kilogramText } from '#web/i18n/weights.ts'
import { MonthSteps, MonthStepsSkeleton } from '#web/ui/month-steps.tsx'
import { Rings } from '#web/ui/rings.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type TotalCardProps = {
  footprint: CarbonFootprint | undefined
  /** Whether the footprint belongs to the previously shown month, while the chosen one loads. */
  isOld: boolean
  onMonth: (month: string) => void
}

/** Shows a month's total emissions, and buttons for earlier months. */
export function TotalCard({ footprint, isOld, onMonth }: TotalCardProps) {
  const { t } = useLingui()
  return (
    <section
      aria-label={t`Your Footprint`}
      aria-busy={isOld || undefined}
      className="on-brand @container relative isolate overflow-hidden rounded-[1.75rem] bg-linear-to-br from-brand to-brand-deep p-5 text-on-brand shadow-card"
    >
      <Rings className="absolute -end-24 -top-28 -z-10 size-80 opacity-[0.17]" />
      {footprint ? (
        <MonthSteps month={footprint.month} months={footprint.months} onMonth={onMonth} />
      ) : (
        <MonthStepsSkeleton />
      )}
      {footprint ? <Total grams={footprint.grams} /> : <TotalSkeleton />}
      <p className="mt-1 text-[0.9375rem] text-pretty text-on-brand-soft">
        <Trans>Estimated from what you spent</Trans>
      </p>
    </section>
  )
}

/** The width of the unit beside the figure, in characters. */
const WORD_CHARS = 3

function TotalSkeleton() {
  return (
    <span className="block min-h-15 pt-[0.25em] text-[2.75rem]">
      <Skeleton line className="w-[3.5em] !bg-on-brand/15" />
    </span>
  )
}

function Total({ grams }: { grams: number }) {
  const weight = kilogramText(grams)
  return (
    <p className="fit-line" style={{ '--chars': weight.length + WORD_CHARS, '--fit-max': '2.75rem' } as CSSProperties}>
      <span className="tabular flex min-h-15 items-baseline gap-[0.18em] pt-[0.25em] font-semibold tracking-[-0.03em]">
        <bdi className="whitespace-nowrap">{weight}</bdi>{' '}
        <span className="text-[0.42em] font-medium tracking-normal text-on-brand-soft">
          <Trans comment="Shown beside a weight. Example: 123 kg CO₂">CO₂</Trans>
        </span>
      </span>
    </p>
  )
}
