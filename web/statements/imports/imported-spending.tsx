import { useLingui } from '@lingui/react/macro'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { ImportedMonth } from '#contract/statements.ts'
import { CategoryIcon } from '#web/accounts/shared/category-icon.tsx'
import { monthAndYear } from '#web/i18n/dates.ts'
import { categoryText } from '#web/i18n/words.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Money } from '#web/ui/money.tsx'
import { Card, Section } from '#web/ui/screen.tsx'

/** Shows a month's spending by category, from imported statements. */
export function ImportedSpendingView({ months }: { months: ImportedMonth[] }) {
  const { t } = useLingui()
  const [chosenMonth, setChosen] = useState<string | null>(null)
  // The chosen month may have disappeared with its import.
  const place = Math.max(
    0,
    months.findIndex(({ month }) => month === chosenMonth),
  )
  const month = months[place]
  if (!month) return null
  const step = (offset: number) => {
    const next = months[place + offset]
    return {
      className: 'disabled:opacity-35',
      disabled: next === undefined,
      onClick: () => next && setChosen(next.month),
    }
  }
  return (
    <Section title={t`Spending from Other Banks`}>
      <Card>
        <div className="flex items-center justify-between gap-1 border-b border-line p-2">
          <IconButton icon={ChevronLeft} directed label={t`Previous Month`} {...step(1)} />
          <div aria-live="polite" className="min-w-0 text-center">
            <h3 className="text-[0.9375rem] font-medium first-letter:uppercase">{monthAndYear(month.month)}</h3>
            <Money
              amountMinor={month.spentMinor}
              asset={month.asset}
              className="text-xl font-semibold tracking-tight"
            />
          </div>
          <IconButton icon={ChevronRight} directed label={t`Next Month`} {...step(-1)} />
        </div>
        <ul className="divide-y divide-line">
          {month.categories.map(({ category, spentMinor }) => (
            <li key={category} className="flex min-h-16 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5">
              <CategoryIcon category={category} />
              <span className="min-w-0 flex-1 basis-24 font-medium">{categoryText(category)}</span>
              <Money amountMinor={spentMinor} asset={month.asset} className="ms-auto font-semibold" />
            </li>
          ))}
        </ul>
      </Card>
    </Section>
  )
}
