import { type InvalidateOptions, type InvalidateQueryFilters, QueryClient, type QueryKey } from '@tanstack/react-query'
import { isFinalError, isRetriableError, retryDelay } from '#web/lib/api.ts'
import { isConnected } from '#web/lib/connection.ts'

const RETRIES = 3

/** Returns whether to retry a query. There are no retries without a connection: all data is refetched after a reconnection. */
function retryQuery(failures: number, error: unknown): boolean {
  return !isFinalError(error) && failures < RETRIES && isConnected()
}

/** Returns whether to retry a mutation. Without an idempotency key, a second attempt might carry it out twice. */
function retryMutation(failures: number, error: unknown): boolean {
  return isRetriableError(error) && failures < RETRIES
}

/**
 * Returns a delay of 1 s, 2 s, 4 s and so on, at most 30 s, or the server's `Retry-After` if that is longer. Up to half of the
 * delay is added at random.
 */
function delayBefore(attempt: number, error: unknown): number {
  return retryDelay(Math.min(1000 * 2 ** attempt, 30_000), error)
}

/**
 * A query client that also invalidates queries whose first response is still on its way, because the bank may have answered
 * before the last change. The base class refetches existing data only, and treats a first response as current.
 */
class BankQueryClient extends QueryClient {
  override async invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    const loading = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined)
    const laterInvalidations = loading.map(async ({ queryKey, promise }) => {
      await promise?.catch(() => undefined)
      await super.invalidateQueries({ ...filters, queryKey, exact: true }, options)
    })
    await Promise.all([super.invalidateQueries(filters, options), ...laterInvalidations])
  }
}

/**
 * Creates a query client that sends requests even if the browser reports that it is offline, because the report may be wrong.
 * If a request fails, the screen shows the failure.
 */
export function createQueryClient(): QueryClient {
  return new BankQueryClient({
    defaultOptions: {
      queries: {
        retry: retryQuery,
        retryDelay: delayBefore,
        gcTime: 5 * 60_000,
        staleTime: 5_000,
        networkMode: 'always',
        refetchOnReconnect: true,
      },
      mutations: { retry: retryMutation, retryDelay: delayBefore, networkMode: 'always' },
    },
  })
}

/** The query client of this page. */
export const queries = createQueryClient()
