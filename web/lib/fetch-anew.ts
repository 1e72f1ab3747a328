import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Asks the bank for something, even if it is being asked already: that answer may be from before what has just happened.
 * Whoever waits for it gets this one.
 */
export function fetchAnew<Data, Key extends QueryKey>(
  queries: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  void queries.cancelQueries({ queryKey: query.queryKey, exact: true }, { silent: true })
  return queries.fetchQuery({ ...query, staleTime: 0 })
}
