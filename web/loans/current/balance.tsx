import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { LoanDetails, LoanSummary } from '#contract/loans.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'
import { loanQuery } from '#web/loans/shared/queries.ts'
import { Chart } from '#web/ui/chart/chart.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

/** Charts a loan's balance over its life, past and future. If the data fails to load, the loan's card shows the error. */
export function Balance({ loan, today }: { loan: LoanSummary; today: string }) {
  const { t } = useLingui()
  const { data, error } = useQuery(loanQuery(loan.id))
  if (!data && error) return null
  return (
    <Section title={t`Left to Repay`}>
      <Card className="p-4 pb-3">
        <Chart
          label={t`The amount left to repay over the life of your loan`}
          points={data && balances(data, today)}
          names={{ at: t({ message: 'Date', context: 'of a value' }), value: t`Left to Repay` }}
          until={today}
          isAhead
          fromZero
          formatAt={(at) => shortDay(at, today)}
          formatValue={(amountMinor) => money(amountMinor, loan.asset)}
        />
        <p className="mt-1 text-center text-sm text-pretty text-ink-soft">
          <Trans comment="Explains a chart of a loan">The dotted line shows what's ahead if you pay on time.</Trans>
        </p>
      </Card>
    </Section>
  )
}

/** Returns the principal without interest and fees: one value for each day on which it changes, and one for today. */
function balances({ amountMinor, disbursedOn, payments, owed, schedule }: LoanDetails, today: string) {
  const days = new Map([[disbursedOn, amountMinor]])
  let remainingMinor = amountMinor
  for (const { paidOn, principalMinor } of payments.toReversed()) days.set(paidOn, (remainingMinor -= principalMinor))
  days.set(today, owed.principalMinor)
  for (const { dueOn, principalLeftMinor } of schedule) if (dueOn > today) days.set(dueOn, principalLeftMinor)
  return [...days].map(([at, value]) => ({ at, value })).toSorted((first, second) => (first.at < second.at ? -1 : 1))
}
