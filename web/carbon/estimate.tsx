import { Trans, useLingui } from '@lingui/react/macro'
import type { CarbonFootprint } from '#contract/carbon.ts'
import { CARBON_LOOKS } from '#web/carbon/carbon-words.ts'
import { gramText } from '#web/i18n/weights.ts'
import { Card, Section } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Explains the method of the estimate and its limits. */
export function Estimate({ footprint }: { footprint: CarbonFootprint | undefined }) {
  const { t } = useLingui()
  return (
    <Section title={t`How We Estimate`}>
      <Card className="flex flex-col gap-3 p-4 text-[0.9375rem]">
        <p className="text-pretty text-ink-soft">
          <Trans>
            These figures are estimates, not measurements. For each dollar you spend in a category, we count the same
            amount of CO₂, no matter what you buy. The factors are Alder's own, chosen for its sample data, and don't
            come from an official source. Entertainment isn't counted.
          </Trans>
        </p>
        <dl className="flex flex-col gap-1">
          {(footprint?.categories ?? []).map(({ category, gramsPerDollar }) => {
            const weight = gramText(gramsPerDollar)
            return (
              <div key={category} className="flex flex-wrap items-center justify-between gap-x-4">
                <dt className="text-ink-soft">{t(CARBON_LOOKS[category].name)}</dt>
                <dd className="tabular ms-auto text-end font-medium">
                  <Trans comment="The estimated CO₂. Example: 214 g per dollar">{weight} per dollar</Trans>
                </dd>
              </div>
            )
          })}
          {!footprint && Array.from({ length: 4 }, (_, index) => <Skeleton key={index} line className="w-full" />)}
        </dl>
      </Card>
    </Section>
  )
}
