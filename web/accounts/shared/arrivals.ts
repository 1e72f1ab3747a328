import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Transaction } from '#contract/accounts.ts'

/** The transactions that were shown so far, and when the latest was booked. */
type Seen = { ids: readonly string[]; latest: string }

const SEEN = ['shown', 'transactions']

/** Those that came after all that were seen: not the older ones, which a longer list brings. */
export function arrivalsAmong(transactions: readonly Transaction[], seen: Seen): string[] {
  return transactions
    .filter(({ id, bookedAt }) => !seen.ids.includes(id) && bookedAt >= seen.latest)
    .map(({ id }) => id)
}

export function seenWith(transactions: readonly Transaction[], seen: Seen | undefined): Seen {
  return {
    ids: [...new Set([...(seen?.ids ?? []), ...transactions.map(({ id }) => id)])],
    latest: transactions.reduce((latest, { bookedAt }) => (bookedAt > latest ? bookedAt : latest), seen?.latest ?? ''),
  }
}

/** The ids of transactions that are shown for the first time since others were, on any screen. */
export function useArrivals(transactions: readonly Transaction[]): ReadonlySet<string> {
  const queries = useQueryClient()
  const arrivalsNow = (): string[] => {
    const seen = queries.getQueryData<Seen>(SEEN)
    return seen ? arrivalsAmong(transactions, seen) : []
  }
  const [shown, setShown] = useState(() => ({ transactions, arrivals: new Set(arrivalsNow()) }))
  if (shown.transactions !== transactions) {
    const ids = arrivalsNow()
    // Those of before stay marked until others come: their mark may not be gone yet.
    setShown({ transactions, arrivals: ids.length > 0 ? new Set(ids) : shown.arrivals })
  }
  useEffect(() => {
    queries.setQueryData<Seen>(SEEN, (seen) => seenWith(transactions, seen))
  }, [queries, transactions])
  return shown.arrivals
}
