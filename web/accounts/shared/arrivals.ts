import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Transaction } from '#contract/accounts.ts'

/** The transactions that were shown so far, and the booking time of the latest. */
type SeenTransactions = { ids: readonly string[]; latest: string }

const SEEN_KEY = ['shown', 'transactions']

/** Returns the transactions that arrived after all seen ones. Older ones that a longer list loads do not count. */
export function findArrivals(transactions: readonly Transaction[], seenTransactions: SeenTransactions): string[] {
  return transactions
    .filter(({ id, bookedAt }) => !seenTransactions.ids.includes(id) && bookedAt >= seenTransactions.latest)
    .map(({ id }) => id)
}

export function addSeen(
  transactions: readonly Transaction[],
  seenTransactions: SeenTransactions | undefined,
): SeenTransactions {
  return {
    ids: [...new Set([...(seenTransactions?.ids ?? []), ...transactions.map(({ id }) => id)])],
    latest: transactions.reduce(
      (latest, { bookedAt }) => (bookedAt > latest ? bookedAt : latest),
      seenTransactions?.latest ?? '',
    ),
  }
}

/** Returns the ids of transactions that arrived since a screen last showed transactions. */
export function useArrivals(transactions: readonly Transaction[]): ReadonlySet<string> {
  const queries = useQueryClient()
  const arrivalsNow = (): string[] => {
    const seenTransactions = queries.getQueryData<SeenTransactions>(SEEN_KEY)
    return seenTransactions ? findArrivals(transactions, seenTransactions) : []
  }
  const [state, setShown] = useState(() => ({ transactions, arrivals: new Set(arrivalsNow()) }))
  if (state.transactions !== transactions) {
    const ids = arrivalsNow()
    // Earlier arrivals stay marked until new ones come, because their highlight may not have faded yet.
    setShown({ transactions, arrivals: ids.length > 0 ? new Set(ids) : state.arrivals })
  }
  useEffect(() => {
    queries.setQueryData<SeenTransactions>(SEEN_KEY, (seenTransactions) => addSeen(transactions, seenTransactions))
  }, [queries, transactions])
  return state.arrivals
}
