import { Trans, useLingui } from '@lingui/react/macro'
import type { Analytics } from '#contract/analytics.ts'
import type { SpendingCategory } from '#contract/categories.ts'
import { percentOf } from '#contract/money.ts'
import { money, percentage } from '#web/i18n/formats.ts'
import { SPENDING_LOOKS } from '#web/insights/category-words.ts'
import { cx } from '#web/ui/cx.ts'
import { Money } from '#web/ui/money.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { ButtonRow } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { RowSkeletons } from '#web/ui/skeleton.tsx'

type BreakdownProps = { analytics: Analytics | undefined; onOpen: (category: SpendingCategory) => void }

/** What the month's spending is made of; each category opens. */
export function Breakdown({ analytics, onOpen }: BreakdownProps) {
  const { t } = useLingui()
  return (
    <Section title={t`Category Breakdown`}>
      <Card>
        {analytics ? (
          <ul className="divide-y divide-line">
            {analytics.categories.map((part) => (
              <li key={part.category}>
                <Part part={part} onOpen={onOpen} />
              </li>
            ))}
          </ul>
        ) : (
          <RowSkeletons count={5} />
        )}
      </Card>
    </Section>
  )
}

function Part({ part, onOpen }: { part: Analytics['categories'][number]; onOpen: BreakdownProps['onOpen'] }) {
  const { t } = useLingui()
  const { category, spentMinor, percent, budgetMinor } = part
  const { icon, tint, name } = SPENDING_LOOKS[category]
  const title = t(name)
  return (
    <>
      <ButtonRow
        icon={icon}
        tint={tint}
        title={
          <span className="flex flex-wrap justify-between gap-x-3">
            <span className="min-w-0 wrap-anywhere">{title}</span>
            <Money amountMinor={spentMinor} asset="USD" className="ms-auto font-semibold" />
          </span>
        }
        description={
          <span className="tabular">
            {percentage(percent)}
            {budgetMinor !== null && <Budget spentMinor={spentMinor} budgetMinor={budgetMinor} />}
          </span>
        }
        opens
        onClick={() => onOpen(category)}
      />
      <div aria-hidden className="-mt-1 px-4 pb-3.5">
        <Progress label={title} percent={percent} />
      </div>
    </>
  )
}

function Budget({ spentMinor, budgetMinor }: { spentMinor: number; budgetMinor: number }) {
  const [used, budget] = [percentage(percentOf(spentMinor, budgetMinor)), money(budgetMinor, 'USD')]
  return (
    <span className={cx('block', spentMinor >= budgetMinor && 'text-danger')}>
      <Trans comment="A percentage and an amount">
        {used} of {budget} budget
      </Trans>
    </span>
  )
}
