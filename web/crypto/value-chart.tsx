import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ValueHistory } from '#contract/crypto.ts'
import { valuesQuery } from '#web/crypto/queries.ts'
import { useRanges } from '#web/crypto/shared/ranges.ts'
import { money } from '#web/i18n/formats.ts'
import { Chart } from '#web/ui/chart/chart.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

const pointsOf = ({ points }: ValueHistory) => points.map(({ at, valueMinor }) => ({ at, value: valueMinor }))

/** Shows the value of all the customer's coins over a time range. */
export function ValueChart() {
  const { t } = useLingui()
  const { range, ...time } = useRanges()
  const query = useQuery({ ...valuesQuery(range), select: pointsOf })
  return (
    <Section title={t`Value over Time`}>
      <Card className="px-4 pt-4 pb-2">
        {query.error && !query.data ? (
          <LoadFailure {...query} />
        ) : (
          <Chart
            {...time}
            label={t`Value of your coins`}
            points={query.data}
            names={{ at: t`Time`, value: t({ message: 'Value', comment: 'The current value of coins' }) }}
            formatValue={(value) => money(value, 'USD')}
            empty={t`You had no coins during this period`}
          />
        )}
      </Card>
    </Section>
  )
}
