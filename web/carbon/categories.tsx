import { Trans, useLingui } from '@lingui/react/macro'
import { Lightbulb } from 'lucide-react'
import type { CarbonFootprint } from '#contract/carbon.ts'
import { CARBON_CATEGORIES, type CarbonCategory } from '#contract/carbon-terms.ts'
import { CARBON_LOOKS } from '#web/carbon/carbon-words.ts'
import { money, percentage } from '#web/i18n/formats.ts'
import { kilogramText } from '#web/i18n/weights.ts'
import { InlineFacts } from '#web/ui/inline-facts.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { RowIcon } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Shows the categories of the footprint, each with a tip to reduce it. */
export function Categories({ footprint }: { footprint: CarbonFootprint | undefined }) {
  const { t } = useLingui()
  return (
    <Section title={t`By Category`}>
      <Card>
        <ul className="divide-y divide-line">
          {CARBON_CATEGORIES.map((category) => (
            <li key={category}>
              <Part category={category} part={footprint?.categories.find((part) => part.category === category)} />
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  )
}

/** `part` is undefined until the footprint loads. The tips are shown before the footprint loads. */
type PartProps = { category: CarbonCategory; part: CarbonFootprint['categories'][number] | undefined }

function Part({ category, part }: PartProps) {
  const { t } = useLingui()
  const { icon, tint, name, tips } = CARBON_LOOKS[category]
  const title = t(name)
  return (
    <div className="@container px-4 py-3.5">
      <div className="flex items-center gap-3">
        <RowIcon icon={icon} tint={tint} />
        <div className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-3">
          <div className="min-w-0">
            <h3 className="font-medium">{title}</h3>
            <div className="text-sm text-ink-soft">
              {part ? <InlineFacts facts={factsOf(part)} /> : <Skeleton line className="w-32" />}
            </div>
          </div>
          {part ? (
            <bdi className="tabular ms-auto font-semibold whitespace-nowrap">{kilogramText(part.grams)}</bdi>
          ) : (
            <Skeleton line className="ms-auto w-14" />
          )}
        </div>
      </div>
      <div className="mt-3">
        <Progress label={t`Share of ${title}`} percent={part?.percent ?? 0} />
      </div>
      <ul aria-label={t`Tips for ${title}`} className="mt-3 flex flex-col gap-1.5">
        {tips.map((tip) => (
          <li key={tip.id} className="flex gap-2 text-sm text-pretty text-ink-soft">
            <Lightbulb
              aria-hidden
              className="mt-[0.15lh] size-4 shrink-0 text-warning @max-[9rem]:hidden"
              strokeWidth={2}
            />
            <span className="min-w-0">{t(tip)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function factsOf({ percent, spentMinor, asset }: NonNullable<PartProps['part']>) {
  const spent = money(spentMinor, asset)
  return [
    { key: 'share', fact: <span className="tabular">{percentage(percent)}</span> },
    {
      key: 'spent',
      fact: (
        <span className="tabular">
          <Trans comment="The spending in a category. Example: $210.00 spent">{spent} spent</Trans>
        </span>
      ),
    },
  ]
}
