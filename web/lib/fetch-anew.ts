import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Asks the bank for something, even if it is being asked already: that answer may be from before what has just happened.
 * Whoever waits for it gets this one. If the last screen that shows it closes meanwhile, which ends the request and leaves
 * what was there before, the bank is asked once more.
 */
export async function fetchAnew<Data, Key extends QueryKey>(
  queries: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  const { queryKey } = query
  void queries.cancelQueries({ queryKey, exact: true }, { silent: true })
  void queries.invalidateQueries({ queryKey, exact: true, refetchType: 'none' })
  const data = await queries.fetchQuery({ ...query, staleTime: 0 })
  return queries.getQueryState(queryKey)?.isInvalidated ? fetchAnew(queries, query) : data
}
