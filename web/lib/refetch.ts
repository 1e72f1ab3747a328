import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Fetches a query again at once. This request replaces a running one, whose answer may be older than the last change; both
 * callers get the new answer. If the last screen with the data closes meanwhile, the request is canceled. The query then
 * stays invalidated, so its request is sent again.
 */
export async function refetchNow<Data, Key extends QueryKey>(
  queries: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  const { queryKey } = query
  void queries.cancelQueries({ queryKey, exact: true }, { silent: true })
  void queries.invalidateQueries({ queryKey, exact: true, refetchType: 'none' })
  const data = await queries.fetchQuery(query)
  return queries.getQueryState(queryKey)?.isInvalidated ? refetchNow(queries, query) : data
}
