import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import { isSpendingCategory, type SpendingCategory } from '#contract/categories.ts'
import { SPENDING_LOOKS } from '#web/insights/category-words.ts'
import { paths } from '#web/lib/paths.ts'
import { importsQuery } from '#web/statements/shared/imports-query.ts'
import { Money } from '#web/ui/money.tsx'
import { LinkRow, Row } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

/** Shows a month's spending at other banks, from imported statements. Shows nothing without imports for the month (YYYY-MM). */
export function OtherBanks({ month }: { month: string }) {
  const { t } = useLingui()
  const { data } = useQuery(importsQuery)
  const categories = data?.months.find((candidate) => candidate.month === month)?.categories
  if (!categories) return null
  return (
    <Section title={t`Spending from Other Banks`}>
      <Card>
        <ul className="divide-y divide-line">
          {categories.map(
            ({ category, spentMinor }) =>
              isSpendingCategory(category) && (
                <li key={category}>
                  <Spent category={category} amountMinor={spentMinor} />
                </li>
              ),
          )}
        </ul>
        <div className="border-t border-line">
          <LinkRow icon={FileText} title={t`Statements`} to={paths.statements} />
        </div>
      </Card>
    </Section>
  )
}

function Spent({ category, amountMinor }: { category: SpendingCategory; amountMinor: number }) {
  const { t } = useLingui()
  const { icon, tint, name } = SPENDING_LOOKS[category]
  return (
    <Row
      icon={icon}
      tint={tint}
      title={
        <span className="flex flex-wrap justify-between gap-x-3">
          <span className="min-w-0 wrap-anywhere">{t(name)}</span>
          <Money amountMinor={amountMinor} asset="USD" className="ms-auto font-semibold" />
        </span>
      }
    />
  )
}
