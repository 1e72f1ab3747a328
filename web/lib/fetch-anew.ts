import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Asks the bank for something now. This request replaces one that is under way, which the bank may have answered before what
 * has just happened; both callers get the new answer. The request is made once more if it ended without an answer, as it
 * does when the last screen that shows the data closes.
 */
export async function fetchAnew<Data, Key extends QueryKey>(
  queries: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  const { queryKey } = query
  void queries.cancelQueries({ queryKey, exact: true }, { silent: true })
  void queries.invalidateQueries({ queryKey, exact: true, refetchType: 'none' })
  const data = await queries.fetchQuery(query)
  return queries.getQueryState(queryKey)?.isInvalidated ? fetchAnew(queries, query) : data
}
