import { Trans, useLingui } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowDownLeft, FileText, SearchX } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import type { Transaction, TransactionFilters } from '#contract/accounts.ts'
import { transactionIdIn, searchWithId } from '#web/accounts/shared/transaction-address.ts'
import { NoTransactions } from '#web/accounts/shared/no-transactions.tsx'
import { FilterBar } from '#web/accounts/transactions/filter-bar.tsx'
import { filtersFrom } from '#web/accounts/transactions/filters.ts'
import { FoundTiles, Tiles } from '#web/accounts/transactions/tiles.tsx'
import { groupTransactionsByDay } from '#web/accounts/transactions/group-days.ts'
import { filterParams, transactionsQuery, useBusinessDay } from '#web/accounts/queries.ts'
import { TransactionRows } from '#web/accounts/shared/transaction-row.tsx'
import { messageOf } from '#web/lib/api.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { IconLink } from '#web/ui/icon-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Card, Screen, Section } from '#web/ui/screen.tsx'
import { Loading, RowSkeletons } from '#web/ui/skeleton.tsx'

/**
 * Stores the filters in the URL, so that back, reload and shared links keep them. A transaction open beside the list stays
 * open.
 */
function useFilters() {
  const location = useLocation()
  const [params, setParams] = useSearchParams()
  const setFilters = (next: TransactionFilters, replace: boolean) => {
    const search = filterParams(next).toString()
    const id = transactionIdIn(location)
    setParams(id === null ? search : searchWithId(search, id), {
      replace,
      preventScrollReset: true,
      state: location.state as unknown,
    })
  }
  return [filtersFrom(params), setFilters] as const
}

const isFiltered = (filters: TransactionFilters): boolean => Object.keys(filters).length > 0

export function TransactionsScreen() {
  const { t } = useLingui()
  const [filters, setFilters] = useFilters()
  return (
    <Screen
      title={t`Transactions`}
      back={paths.dashboard}
      actions={<IconLink icon={FileText} label={t`Statements`} to={paths.statements} />}
    >
      {isFiltered(filters) ? <FoundTiles filters={filters} /> : <Tiles />}
      <Section title={t`All Transactions`} className="flex flex-col gap-2">
        <FilterBar filters={filters} onChange={setFilters} />
        <List filters={filters} onClear={() => setFilters({}, false)} />
      </Section>
    </Screen>
  )
}

function List({ filters, onClear }: { filters: TransactionFilters; onClear: () => void }) {
  const { t } = useLingui()
  const list = useInfiniteQuery(transactionsQuery(filters))
  // Many rows take long to render. A deferred value lets the screen react to input meanwhile.
  const pages = useDeferredValue(list.data?.pages)
  // True while the rendered pages are older than the loaded pages.
  const isBehind = pages !== list.data?.pages
  const today = useBusinessDay()
  const transactions = useMemo(() => pages?.flatMap((page) => page.transactions), [pages])
  if (list.isError && !list.data) {
    return <LoadFailure {...list} />
  }
  if (!transactions) {
    return (
      <Card>
        <Loading label={t`Loading transactions`} />
        <RowSkeletons count={8} />
      </Card>
    )
  }
  if (transactions.length === 0) return <Empty filtered={isFiltered(filters)} onClear={onClear} />
  return (
    <>
      <Days transactions={transactions} today={today} />
      {list.hasNextPage || isBehind ? (
        <LoadMore
          busy={list.isFetchingNextPage || isBehind}
          pause={isBehind || list.isFetching || list.isFetchNextPageError}
          failed={list.isFetchNextPageError ? messageOf(list.error) : null}
          onMore={() => void list.fetchNextPage({ cancelRefetch: false })}
        />
      ) : (
        <p className="py-4 text-center text-sm text-ink-soft">
          <Trans comment="Shown at the end of a list">That's everything</Trans>
        </p>
      )}
    </>
  )
}

function Days({ transactions, today }: { transactions: readonly Transaction[]; today: string | null }) {
  const groups = useMemo(() => groupTransactionsByDay(transactions, today), [transactions, today])
  return groups.map((group) => (
    <section key={group.key} aria-label={group.title}>
      <h3 className="px-1 pt-2 pb-1.5 text-sm font-semibold text-ink-soft first-letter:uppercase">{group.title}</h3>
      <Card>
        <TransactionRows transactions={group.transactions} today={today} time={group.time} />
      </Card>
    </section>
  ))
}

function Empty({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const { t } = useLingui()
  if (filtered) {
    return (
      <EmptyState
        icon={SearchX}
        title={t`No transactions found`}
        action={
          <Button onClick={onClear}>
            <Trans>Clear Filters</Trans>
          </Button>
        }
      >
        <Trans>Nothing matches your search.</Trans>
      </EmptyState>
    )
  }
  return <NoTransactions icon={ArrowDownLeft} />
}

/** The distance from the end of the list at which the next page is loaded. */
const LOAD_DISTANCE = '600px'

type LoadMoreProps = {
  busy: boolean
  failed: string | null
  /** Whether loading is paused. After the pause, the end of the list is checked again. */
  pause: boolean
  onMore: () => void
}

function LoadMore({ busy, failed, pause, onMore }: LoadMoreProps) {
  const mark = useRef<HTMLDivElement>(null)
  const onMoreRef = useRef(onMore)
  useEffect(() => {
    onMoreRef.current = onMore
  })
  useEffect(() => {
    if (pause || !mark.current) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) onMoreRef.current()
      },
      { rootMargin: LOAD_DISTANCE },
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
