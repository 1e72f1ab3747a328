import { Trans, useLingui } from '@lingui/react/macro'
import { Target } from 'lucide-react'
import type { Analytics } from '#contract/analytics.ts'
import { SPENDING, type SpendingCategory } from '#contract/categories.ts'
import { percentOf } from '#contract/money.ts'
import { money, percentage } from '#web/i18n/formats.ts'
import { SPENDING_LOOKS } from '#web/insights/category-words.ts'
import { Donut, DonutSkeleton } from '#web/insights/donut.tsx'
import { isCurrentMonth } from '#web/insights/current-month.ts'
import { cx } from '#web/ui/cx.ts'
import { Money } from '#web/ui/money.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { ButtonRow } from '#web/ui/row.tsx'
import { Card, Section } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

type BreakdownProps = { analytics: Analytics | undefined; onOpen: (category: SpendingCategory) => void }

/** Lists the month's spending by category. Each category opens its details. */
export function Breakdown({ analytics, onOpen }: BreakdownProps) {
  const { t } = useLingui()
  return (
    <Section title={t`Category Breakdown`}>
      <Card>
        {analytics ? <Donut analytics={analytics} /> : <DonutSkeleton />}
        <ul className="divide-y divide-line">
          {SPENDING.map((category) => ({
            category,
            part: analytics?.categories.find((part) => part.category === category),
          }))
            .filter(({ category, part }) => category !== 'other' || part !== undefined)
            .map(({ category, part }) => (
              <li key={category}>
                <Part category={category} part={part} onOpen={onOpen} />
              </li>
            ))}
        </ul>
        {analytics && <BudgetHint analytics={analytics} onOpen={onOpen} />}
      </Card>
    </Section>
  )
}

type PartProps = Pick<BreakdownProps, 'onOpen'> & {
  category: SpendingCategory
  /** The category's figures, undefined until they load. */
  part: Analytics['categories'][number] | undefined
}

function Part({ category, part, onOpen }: PartProps) {
  const { t } = useLingui()
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
            {part ? (
              <Money amountMinor={part.spentMinor} asset="USD" className="ms-auto font-semibold" />
            ) : (
              <Skeleton line className="ms-auto w-18" />
            )}
          </span>
        }
        description={
          part ? (
            <span className="tabular">
              {percentage(part.percent)}
              {part.budgetMinor !== null && <Budget spentMinor={part.spentMinor} budgetMinor={part.budgetMinor} />}
            </span>
          ) : (
            <Skeleton line className="w-10" />
          )
        }
        opens
        disabled={!part}
        onClick={() => onOpen(category)}
      />
      <div aria-hidden className="-mt-1 px-4 pb-3.5">
        <Progress label={title} percent={usedOf(part)} isOver={isOver(part)} />
      </div>
    </>
  )
}

/**
 * Returns the length of a category's bar: the used part of its budget or, without a budget, its part of the month's spending.
 */
function usedOf(part: PartProps['part']): number {
  if (!part) return 0
  return part.budgetMinor === null ? part.percent : percentOf(part.spentMinor, part.budgetMinor)
}

const isOver = (part: PartProps['part']): boolean =>
  part !== undefined && part.budgetMinor !== null && part.spentMinor > part.budgetMinor

function Budget({ spentMinor, budgetMinor }: { spentMinor: number; budgetMinor: number }) {
  const [used, budget] = [percentage(percentOf(spentMinor, budgetMinor)), money(budgetMinor, 'USD')]
  const over = money(spentMinor - budgetMinor, 'USD')
  return (
    <span className={cx('block', spentMinor >= budgetMinor && 'text-danger')}>
      <Trans comment="{used} is a percentage, {budget} an amount of money">
        {used} of {budget} budget
      </Trans>
      {spentMinor > budgetMinor && (
        <span className="block font-medium">
          <Trans comment="{over} is the amount above the budget">{over} over budget</Trans>
        </span>
      )}
    </span>
  )
}

/** Introduces budgets until the customer has one. Opens the category with the largest spending. */
function BudgetHint({ analytics, onOpen }: { analytics: Analytics; onOpen: BreakdownProps['onOpen'] }) {
  const { t } = useLingui()
  const { categories } = analytics
  const [largestCategory] = categories.toSorted((a, b) => b.spentMinor - a.spentMinor)
  if (!largestCategory || !isCurrentMonth(analytics) || categories.some(({ budgetMinor }) => budgetMinor !== null))
    return null
  return (
    <div className="border-t border-line">
      <ButtonRow
        icon={Target}
        title={t`Set a Budget`}
        description={t`Choose the most you want to spend in a category each month.`}
        opens
        onClick={() => onOpen(largestCategory.category)}
      />
    </div>
  )
}
