import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ArrowDownLeft, ArrowUpRight, type LucideIcon, SearchX } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import type { Transaction, TransactionFilters } from '#contract/accounts.ts'
import { NothingYet } from '#web/accounts/shared/nothing-yet.tsx'
import { FilterBar } from '#web/accounts/transactions/filter-bar.tsx'
import { filtersFrom } from '#web/accounts/transactions/filters.ts'
import { groupDays } from '#web/accounts/transactions/group-days.ts'
import { filterParams, summaryQuery, transactionsQuery, useBusinessNow } from '#web/accounts/queries.ts'
import { TransactionRows } from '#web/accounts/transaction-row.tsx'
import { messageOf } from '#web/lib/api.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Failure } from '#web/ui/failure.tsx'
import { Money } from '#web/ui/money.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Card, Screen, Section } from '#web/ui/screen.tsx'
import { Loading, RowSkeletons, Skeleton } from '#web/ui/skeleton.tsx'

/** The list and its filters; the filters live in the URL, so that back, reload and sharing keep them. */
export function TransactionsScreen() {
  const { t } = useLingui()
  const [params, setParams] = useSearchParams()
  const filters = filtersFrom(params)
  const setFilters = (next: TransactionFilters, replace: boolean) =>
    setParams(filterParams(next), { replace, preventScrollReset: true })
  return (
    <Screen title={t`Transactions`} back={paths.dashboard}>
      <Tiles />
      <Section title={t`All Transactions`} className="flex flex-col gap-2">
        <FilterBar filters={filters} onChange={setFilters} />
        <List filters={filters} onClear={() => setFilters({}, false)} />
      </Section>
    </Screen>
  )
}

function Tiles() {
  const { t } = useLingui()
  const { data, isError } = useQuery(summaryQuery)
  if (isError && !data) return null
  return (
    <div className="grid grid-cols-2 gap-3">
      <Tile
        label={t`Income`}
        icon={ArrowDownLeft}
        days={data?.days}
        figure={data && <Money amountMinor={data.incomeMinor} asset={data.asset} sign="always" />}
        tint="text-success"
      />
      <Tile
        label={t`Expenses`}
        icon={ArrowUpRight}
        days={data?.days}
        figure={data && <Money amountMinor={-data.expensesMinor} asset={data.asset} />}
        tint="text-ink"
      />
    </div>
  )
}

type TileProps = {
  label: string
  icon: LucideIcon
  days: number | undefined
  figure: React.ReactNode
  tint: string
}

function Tile({ label, icon: Icon, days, figure, tint }: TileProps) {
  return (
    <Card className="p-4">
      <h2 className="flex items-center gap-1.5 text-sm font-medium text-ink-soft">
        <Icon aria-hidden className={cx('size-4', tint)} strokeWidth={2.4} />
        {label}
      </h2>
      <p className={cx('mt-1 text-xl font-semibold tracking-tight', tint)}>
        {figure ?? <Skeleton className="my-0.5 h-6 w-24" />}
      </p>
      <p className="text-sm text-ink-soft">
        {days ? <Plural value={days} one="Last # day" other="Last # days" /> : <Skeleton className="my-1 h-3 w-16" />}
      </p>
    </Card>
  )
}

function List({ filters, onClear }: { filters: TransactionFilters; onClear: () => void }) {
  const { t } = useLingui()
  const list = useInfiniteQuery(transactionsQuery(filters))
  const now = useBusinessNow()
  if (list.isError && !list.data) {
    return <Failure message={messageOf(list.error)} onRetry={() => void list.refetch()} />
  }
  if (!list.data) {
    return (
      <Card>
        <Loading label={t`Loading transactions`} />
        <RowSkeletons count={8} />
      </Card>
    )
  }
  const transactions = list.data.pages.flatMap((page) => page.transactions)
  if (transactions.length === 0) return <Empty filtered={Object.keys(filters).length > 0} onClear={onClear} />
  return (
    <>
      <Days transactions={transactions} now={now} />
      {list.hasNextPage ? (
        <More
          busy={list.isFetchingNextPage}
          pause={list.isFetching || list.isFetchNextPageError}
          failed={list.isFetchNextPageError ? messageOf(list.error) : null}
          onMore={() => void list.fetchNextPage({ cancelRefetch: false })}
        />
      ) : (
        <p className="py-4 text-center text-sm text-ink-soft">
          <Trans comment="The end of a list">That's everything</Trans>
        </p>
      )}
    </>
  )
}

function Days({ transactions, now }: { transactions: readonly Transaction[]; now: Date | null }) {
  return groupDays(transactions, now).map((group) => (
    <section key={group.key} aria-label={group.title}>
      <h3 className="px-1 pt-2 pb-1.5 text-sm font-semibold text-ink-soft">{group.title}</h3>
      <Card>
        <TransactionRows transactions={group.transactions} now={now} />
      </Card>
    </section>
  ))
}

function Empty({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const { t } = useLingui()
  if (filtered) {
    return (
      <Notice
        icon={SearchX}
        title={t`No transactions found`}
        action={
          <Button onClick={onClear}>
            <Trans>Clear Filters</Trans>
          </Button>
        }
      >
        <Trans>Nothing matches your search.</Trans>
      </Notice>
    )
  }
  return <NothingYet icon={ArrowDownLeft} />
}

/** How far before the end of the list the next page is asked for. */
const AHEAD = '600px'

type MoreProps = {
  busy: boolean
  failed: string | null
  /** No page is asked for meanwhile; the end of the list is looked at anew when it is over. */
  pause: boolean
  onMore: () => void
}

function More({ busy, failed, pause, onMore }: MoreProps) {
  const mark = useRef<HTMLDivElement>(null)
  const ask = useRef(onMore)
  useEffect(() => {
    ask.current = onMore
  })
  useEffect(() => {
    if (pause || !mark.current) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) ask.current()
      },
      { rootMargin: AHEAD },
    )
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [pause])
  return (
    <div ref={mark} className="flex flex-col items-center gap-2 py-4">
      {failed && (
        <p role="alert" className="text-sm text-danger">
          {failed}
        </p>
      )}
      <Button variant="secondary" size="small" busy={busy} onClick={onMore}>
        {busy ? <Trans>Loading more</Trans> : <Trans>Load More</Trans>}
      </Button>
    </div>
  )
}
