import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ArrowDownLeft, ArrowUpRight, type LucideIcon } from 'lucide-react'
import type { CSSProperties, ReactNode } from 'react'
import type { TransactionCount, TransactionFilters } from '#contract/accounts.ts'
import type { Asset } from '#contract/money.ts'
import { countQuery, summaryQuery } from '#web/accounts/queries.ts'
import { cx } from '#web/ui/cx.ts'
import { FitMoney, Money, moneyChars, type MoneyProps } from '#web/ui/money.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The two figures are side by side if both fit at the current text size. */
const COLUMNS = 'grid-cols-[repeat(auto-fit,minmax(min(100%,max(8rem,var(--chars)*0.6rem+2rem)),1fr))]'
const USUAL_CHARS = 10

type Totals = { inMinor: number; outMinor: number; asset: Asset }

/** Shows recent money in, money out and the difference. */
export function Tiles() {
  const { t } = useLingui()
  const { data, isError } = useQuery(summaryQuery)
  if (isError && !data) return null
  const totals = data && { inMinor: data.incomeMinor, outMinor: data.expensesMinor, asset: data.asset }
  const lastDays = data && <LastDays {...data} />
  return (
    <div className="flex flex-col gap-2">
      <Pair labels={[t`Income`, t`Expenses`]} totals={totals} about={lastDays} />
      <Net totals={totals} />
    </div>
  )
}

/**
 * Shows money in, money out and the difference for the filtered transactions. The bank computes these figures, because the
 * loaded list may be incomplete.
 */
export function FoundTiles({ filters }: { filters: TransactionFilters }) {
  const { t } = useLingui()
  const { data, isError } = useQuery(countQuery(filters))
  if (isError && !data) return null
  const sums = data?.sums
  // The bank returns no sums above its limit on matches, and an empty result needs none.
  const hasTotals = data === undefined || (data.count > 0 && sums)
  return (
    <div className="flex flex-col gap-2">
      {hasTotals && (
        <Pair
          labels={[t({ message: 'Money In', context: 'statement' }), t({ message: 'Money Out', context: 'statement' })]}
          totals={sums ?? undefined}
          about={null}
        />
      )}
      {hasTotals && <Net totals={sums ?? undefined} />}
      <p role="status" className="min-h-5 px-4 text-sm text-ink-soft">
        {data && data.count > 0 && <MatchCount {...data} />}
      </p>
    </div>
  )
}

function LastDays({ days }: { days: number }) {
  return <Plural value={days} one="Last # day" other="Last # days" />
}

function MatchCount({ count, more }: Pick<TransactionCount, 'count' | 'more'>) {
  if (more) return <Plural value={count} one="Over # transaction" other="Over # transactions" />
  return <Plural value={count} one="# transaction" other="# transactions" />
}

type PairProps = { labels: [string, string]; totals: Totals | undefined; about: TileProps['about'] }

function Pair({ labels: [inLabel, outLabel], totals, about }: PairProps) {
  const income: MoneyProps | undefined = totals && {
    amountMinor: totals.inMinor,
    asset: totals.asset,
    sign: 'always',
  }
  const expenses: MoneyProps | undefined = totals && { amountMinor: 0 - totals.outMinor, asset: totals.asset }
  const chars = income && expenses ? Math.max(moneyChars(income), moneyChars(expenses)) : USUAL_CHARS
  return (
    <div className={cx('grid gap-3', COLUMNS)} style={{ '--chars': chars } as CSSProperties}>
      <Tile label={inLabel} icon={ArrowDownLeft} about={about} figure={income} tint="text-success" />
      <Tile label={outLabel} icon={ArrowUpRight} about={about} figure={expenses} tint="text-ink" />
    </div>
  )
}

/** Shows the money in minus the money out. */
function Net({ totals }: { totals: Totals | undefined }) {
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-3 px-4 text-[0.9375rem]">
      <span className="text-ink-soft">
        <Trans comment="Income less expenses">Net</Trans>
      </span>
      {totals ? (
        <Money
          amountMinor={totals.inMinor - totals.outMinor}
          asset={totals.asset}
          sign="always"
          className="font-semibold"
        />
      ) : (
        <Skeleton line className="w-20" />
      )}
    </p>
  )
}

type TileProps = {
  label: string
  icon: LucideIcon
  /** The period or subject of the figure. It is null if another line states it. */
  about: ReactNode
  figure: MoneyProps | undefined
  tint: string
}

function Tile({ label, icon: Icon, about, figure, tint }: TileProps) {
  return (
    <Card className="p-4">
      <h2 className="flex items-center gap-1.5 text-sm font-medium text-ink-soft">
        <Icon aria-hidden className={cx('size-4 shrink-0', tint)} strokeWidth={2.4} />
        {label}
      </h2>
      {figure ? (
        <FitMoney {...figure} most="1.25rem" className={cx('mt-1 font-semibold tracking-tight', tint)} />
      ) : (
        <Skeleton line className="mt-1 w-24 text-xl" />
      )}
      {about !== null && <p className="text-sm text-ink-soft">{about ?? <Skeleton line className="w-16" />}</p>}
    </Card>
  )
}
