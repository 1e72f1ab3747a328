import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Transaction } from '#contract/accounts.ts'

/** The transactions that were shown so far, and when the latest was booked. */
type Seen = { ids: ReadonlySet<string>; latest: string }

const SEEN = ['shown', 'transactions']
const NONE: ReadonlySet<string> = new Set()

/** Those that came after all that were seen: not the older ones, which a longer list brings. */
export function arrivalsAmong(transactions: readonly Transaction[], seen: Seen): string[] {
  return transactions.filter(({ id, bookedAt }) => !seen.ids.has(id) && bookedAt >= seen.latest).map(({ id }) => id)
}

export function seenWith(transactions: readonly Transaction[], seen: Seen | undefined): Seen {
  return {
    ids: new Set([...(seen?.ids ?? []), ...transactions.map(({ id }) => id)]),
    latest: transactions.reduce((latest, { bookedAt }) => (bookedAt > latest ? bookedAt : latest), seen?.latest ?? ''),
  }
}

/** The ids of transactions that are shown for the first time since others were, on any screen. */
export function useArrivals(transactions: readonly Transaction[]): ReadonlySet<string> {
  const queries = useQueryClient()
  const [arrivals, setArrivals] = useState(NONE)
  useEffect(() => {
    const seen = queries.getQueryData<Seen>(SEEN)
    const ids = seen ? arrivalsAmong(transactions, seen) : []
    if (ids.length > 0) setArrivals(new Set(ids))
    queries.setQueryData(SEEN, seenWith(transactions, seen))
  }, [queries, transactions])
  return arrivals
}
