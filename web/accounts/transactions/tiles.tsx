import { Plural, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { ArrowDownLeft, ArrowUpRight, type LucideIcon } from 'lucide-react'
import type { CSSProperties } from 'react'
import { summaryQuery } from '#web/accounts/queries.ts'
import { cx } from '#web/ui/cx.ts'
import { FitMoney, moneyChars, type MoneyProps } from '#web/ui/money.tsx'
import { Card } from '#web/ui/screen.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Beside each other where both figures have room at the size of the text around them. */
const COLUMNS = 'grid-cols-[repeat(auto-fit,minmax(min(100%,max(8rem,var(--chars)*0.6rem+2rem)),1fr))]'
const USUAL_CHARS = 10

/** What came in and what went out lately. */
export function Tiles() {
  const { t } = useLingui()
  const { data, isError } = useQuery(summaryQuery)
  if (isError && !data) return null
  const income: MoneyProps | undefined = data && { amountMinor: data.incomeMinor, asset: data.asset, sign: 'always' }
  const expenses: MoneyProps | undefined = data && { amountMinor: -data.expensesMinor, asset: data.asset }
  const chars = income && expenses ? Math.max(moneyChars(income), moneyChars(expenses)) : USUAL_CHARS
  return (
    <div className={cx('grid gap-3', COLUMNS)} style={{ '--chars': chars } as CSSProperties}>
      <Tile label={t`Income`} icon={ArrowDownLeft} days={data?.days} figure={income} tint="text-success" />
      <Tile label={t`Expenses`} icon={ArrowUpRight} days={data?.days} figure={expenses} tint="text-ink" />
    </div>
  )
}

type TileProps = {
  label: string
  icon: LucideIcon
  days: number | undefined
  figure: MoneyProps | undefined
  tint: string
}

function Tile({ label, icon: Icon, days, figure, tint }: TileProps) {
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
      <p className="text-sm text-ink-soft">
        {days ? <Plural value={days} one="Last # day" other="Last # days" /> : <Skeleton line className="w-16" />}
      </p>
    </Card>
  )
}
